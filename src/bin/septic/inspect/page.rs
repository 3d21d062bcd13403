//! The page: markup, style and script are files of their own, the inspection is data in it.

use septic_air::inspect::Inspection;
use serde::Serialize;

use crate::failure::Failure;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("model.js"), include_str!("map.js"), include_str!("page.js"));

/// Where the parts go. The page's own text has each of them once.
const PLACES: [&str; 3] = ["/*STYLE*/", "/*DATA*/", "/*SCRIPT*/"];

/// What the page shows.
#[derive(Debug, Serialize)]
struct Data<'a> {
    file: &'a str,
    event: usize,
    #[serde(flatten)]
    inspection: &'a Inspection,
}

/// The page of an inspection, with all its rows.
pub(crate) fn page(file: &str, event: usize, inspection: &Inspection) -> Result<String, Failure> {
    let data = serde_json::to_string(&Data { file, event, inspection }).map_err(Failure::unusable)?;
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    let mut rest = PAGE;
    for (place, part) in PLACES.into_iter().zip([STYLE, &in_script(&data), SCRIPT]) {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(part);
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// JSON that means the same and that no parser of HTML takes for markup: these characters stand in its texts only.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_their_places() {
        let mut last = 0;
        for place in PLACES {
            assert_eq!(PAGE.matches(place).count(), 1, "{place}");
            let at = PAGE.find(place).unwrap();
            assert!(at > last, "{place}");
            last = at;
        }
        // A script or style must not end before its end.
        assert!(!SCRIPT.contains("</") && !STYLE.contains("</") && !SCRIPT.contains("<!--"));
    }

    #[test]
    fn data_are_no_markup() {
        let text = "</script><script>alert(1)</script><!-- & \u{2028}";
        let json = in_script(&serde_json::to_string(text).unwrap());
        assert!(!json.contains(['<', '>', '&']));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
