/** Parses JSON; databases refuse NUL characters in text. @throws SyntaxError */
export const parseJson = (text: string): unknown =>
  text.includes(String.raw`\u0000`) ? JSON.parse(text, withoutNul) : JSON.parse(text)

const withoutNul = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value
