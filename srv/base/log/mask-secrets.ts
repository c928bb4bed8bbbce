// What must never stand in a log. Every pattern here takes time in proportion to the text: a caller can choose it.

/** Longest part of a text that is looked through, at its beginning and at its end, characters. */
const READ = 32_768
/** Of a text that is longer than both together these are shown, characters. */
const SHOWN_HEAD = 12_000
const SHOWN_TAIL = 4_000

const NAMES =
  'authorization|cookie|credentials|jwt|pass(?:word|phrase|wd)?|pwd|(?:api|private|encryption)[_-]?key|' +
  '(?:access|refresh|id|csrf)_?token|token|id_?token_?hint|(?:client_?)?secret|code_?verifier|signature|assertion'

const NAMED = `((?:${NAMES})\\\\*["']?\\s*[=:]\\s*\\\\*)`

export const SECRETS = [
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^]*?(?=-----END|$)/g,
  /(?<![a-z\d])(rsk_[a-z\d]+_|whsec_|Bearer +|Basic +)[a-z\d._~+/=-]+/gi,
  // A start within a run of its characters would look at the rest of the run once more.
  /(?<![\w-])(eyJ)[\w-]{5,}\.[\w-]+\.?[\w-]*/g,
  /\b((?:__Host-)?restock(?:-sign-in|-consent-\d+)?=)[^;\s"']+/g,
  // Named ones: in a form or an address, in JSON (also within a text), in an object as Node prints it.
  new RegExp(`${NAMED}"(?:[^"\\\\]|\\\\.)*"?`, 'gi'),
  new RegExp(`${NAMED}'(?:[^'\\\\]|\\\\.)*'?`, 'gi'),
  // A list of them.
  new RegExp(`${NAMED}\\[[^\\]]*\\]?`, 'gi'),
  // Headers as they are sent, to the end of their line, unless they are masked already.
  /\b((?:cookie|authorization) *: *)(?![ *{[])[^\r\n"']+/gi,
  new RegExp(`${NAMED}[^\\s"'&,;}\\]]+`, 'gi'),
  /([?&](?:code|state|ticket)=)[^\s&"']+/g,
  // The same in an object: what has a digit is no code of an error.
  /\b((?:code|state|ticket)["']?: *["'])(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{20,}/g,
  // The password of an address.
  /(:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/g,
]

const ends = (text: string) =>
  text.length <= 2 * READ ? [text] : [text.slice(0, READ), text.slice(-READ)]

/**
 * Without tokens and secrets, which must never stand in a log. Of a long text the middle is left out.
 * @param known secrets, wherever they stand
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  const masked = ends(text).map((part) => {
    const rest = known.reduce((rest, secret) => rest.replaceAll(secret, '***'), part)
    return SECRETS.reduce((rest, secret) => rest.replace(secret, '$1***'), rest)
  })
  const [head = '', tail = head] = masked
  if (masked.length === 1 && head.length <= SHOWN_HEAD + SHOWN_TAIL) return head
  // Cut after masking: half a secret is not known for one.
  const left = text.length - SHOWN_HEAD - SHOWN_TAIL
  return `${head.slice(0, SHOWN_HEAD)} … ${left} characters left out … ${tail.slice(-SHOWN_TAIL)}`
}
