import { createHash } from 'node:crypto'

/** The page at the end of a consent. */
export interface CallbackPage {
  status: number
  title: string
  /** Paragraphs. */
  text: string[]
}

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}' +
  '@media(prefers-color-scheme:dark){body{background:#1c1c1c;color:#eee}}'

const hash = createHash('sha256').update(STYLE).digest('base64')

/** No script, frame, referrer or cache: the address of the page contains the authorization code. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

export const htmlOf = ({ title, text }: CallbackPage) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Restock</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${text.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n')}
</main>
</body>
</html>
`
