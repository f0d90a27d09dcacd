/** A style sheet's class names, as its elements use them. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

declare module '*.css' {}

/** A file as its text. */
declare module '*?raw' {
  const text: string;
  export default text;
}
