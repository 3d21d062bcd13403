// Runs a WebAssembly program that must import nothing.
import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) {
  throw new Error(`the program imports ${JSON.stringify(imports)}`);
}
const { exports } = await WebAssembly.instantiate(module, {});
const code = exports.main(0, 0);
if (code !== 0) {
  throw new Error(`the program ended with ${code}`);
}
console.log("64 signatures checked and made again, without an import");
