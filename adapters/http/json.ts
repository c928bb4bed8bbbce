/** Parses JSON; databases refuse NUL characters and halves of characters in text. @throws SyntaxError */
export const parseJson = (text: string): unknown =>
  UNSTORABLE.test(text) ? JSON.parse(text, storable) : JSON.parse(text)

/** A NUL character, or one half of what UTF-16 writes as two, escaped; JSON of Python escapes all characters as halves. */
const UNSTORABLE =
  /\\u(?:0000|[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F]))|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]/

const storable = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value
