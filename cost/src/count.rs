//! Counts distinct products and variables in symbolic constraints.

use std::collections::{BTreeMap, HashMap, HashSet};

use p3_air::symbolic::{BaseEntry, BaseLeaf, SymbolicExpr, SymbolicExpression, SymbolicVariable};
use p3_field::Field;

/// An expression whose parts are known by number: equal expressions have equal nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node<F> {
    Variable(BaseEntry, usize),
    FirstRow,
    LastRow,
    Transition,
    Constant(F),
    Add(usize, usize),
    Sub(usize, usize),
    Neg(usize),
    Mul(usize, usize),
}

/// Numbers expressions so that equal ones get the same number.
struct Numbering<F> {
    nodes: HashMap<Node<F>, usize>,
    /// Numbers by address, so that a shared part is walked once. The expressions outlive the numbering.
    shared: BTreeMap<*const SymbolicExpression<F>, usize>,
    products: usize,
}

impl<F: Field> Numbering<F> {
    fn shared(&mut self, expression: &SymbolicExpression<F>) -> usize {
        let address: *const SymbolicExpression<F> = expression;
        if let Some(&number) = self.shared.get(&address) {
            return number;
        }
        let number = self.number(expression);
        self.shared.insert(address, number);
        number
    }

    fn number(&mut self, expression: &SymbolicExpression<F>) -> usize {
        let node = match expression {
            SymbolicExpr::Leaf(leaf) => match leaf {
                BaseLeaf::Variable(SymbolicVariable { entry, index, .. }) => Node::Variable(*entry, *index),
                BaseLeaf::IsFirstRow => Node::FirstRow,
                BaseLeaf::IsLastRow => Node::LastRow,
                BaseLeaf::IsTransition => Node::Transition,
                BaseLeaf::Constant(c) => Node::Constant(*c),
            },
            SymbolicExpr::Add { x, y, .. } => {
                let (x, y) = self.pair(x, y);
                Node::Add(x.min(y), x.max(y))
            }
            SymbolicExpr::Sub { x, y, .. } => {
                let (x, y) = self.pair(x, y);
                Node::Sub(x, y)
            }
            SymbolicExpr::Neg { x, .. } => Node::Neg(self.shared(x)),
            SymbolicExpr::Mul { x, y, .. } => {
                let (x, y) = self.pair(x, y);
                Node::Mul(x.min(y), x.max(y))
            }
        };
        let next = self.nodes.len();
        *self.nodes.entry(node).or_insert_with(|| {
            self.products += usize::from(matches!(node, Node::Mul(..)));
            next
        })
    }

    fn pair(&mut self, x: &SymbolicExpression<F>, y: &SymbolicExpression<F>) -> (usize, usize) {
        (self.shared(x), self.shared(y))
    }
}

/// What stands in constraints.
pub(crate) struct Counts {
    /// Distinct products. They are equal if their factors are equal expressions, in either order. A product by a constant
    /// counts, unless the constant is 0 or ±1 and the expression was simplified.
    pub(crate) products: usize,
    /// Distinct columns and public values.
    pub(crate) variables: HashSet<(BaseEntry, usize)>,
}

/// Counts what stands in `constraints`.
pub(crate) fn count<F: Field>(constraints: &[SymbolicExpression<F>]) -> Counts {
    let mut numbering = Numbering { nodes: HashMap::new(), shared: BTreeMap::new(), products: 0 };
    for constraint in constraints {
        numbering.number(constraint);
    }
    let variables = numbering.nodes.keys().filter_map(|node| match node {
        Node::Variable(entry, index) => Some((*entry, *index)),
        _ => None,
    });
    Counts { products: numbering.products, variables: variables.collect() }
}

#[cfg(test)]
mod tests {
    use septic_chips::septic_curve::KoalaBear;

    use super::*;

    type Expression = SymbolicExpression<KoalaBear>;

    fn multiplications(constraints: &[Expression]) -> usize {
        count(constraints).products
    }

    fn column(index: usize) -> Expression {
        SymbolicVariable::<KoalaBear>::new(BaseEntry::Main { offset: 0 }, index).into()
    }

    #[test]
    fn equal_products_count_once() {
        let (a, b) = (column(0), column(1));
        let ab = a.clone() * b.clone();
        let ba = b.clone() * a.clone();
        assert_eq!(multiplications(&[]), 0);
        assert_eq!(multiplications(&[a.clone() + b.clone()]), 0);
        assert_eq!(multiplications(&[ab.clone() + ba.clone()]), 1);
        // a·b, (a·b)·a, a·a
        let cubic = ab.clone() * a.clone() - a.clone() * a.clone();
        assert_eq!(multiplications(&[cubic, ba]), 3);
    }

    #[test]
    fn shared_parts_are_walked_once() {
        // 2^64 additions without sharing.
        let mut sum = column(0) * column(1);
        for _ in 0..64 {
            sum = sum.clone() + sum;
        }
        assert_eq!(multiplications(&[sum.clone(), sum]), 1);
    }
}
