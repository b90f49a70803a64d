// The package's own types are those of its ES module; this is the part of its CommonJS build in use.
declare module 'opencc-js/t2cn' {
  export function Converter(options: { from: string; to: string }): (text: string) => string;
}
