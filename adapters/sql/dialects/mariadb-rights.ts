// Whether a login of MariaDB or MySQL could change anything, by its grants and those of its roles.
import type { Cells } from './dialect.ts'

/** All that may be granted; whatever else a version knows is too much. */
const READING = ['USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES']

type Ask = (sql: string) => Promise<Cells[]>

/** @returns such as `may INSERT on erp.*`; null where it can only read */
export async function excessRight(ask: Ask, isMariadb: boolean): Promise<string | null> {
  const roles = new Set<string>()
  const waiting: (string | null)[] = [null]
  for (let role; (role = waiting.shift()) !== undefined;) {
    const grants = await grantsOf(ask, role, isMariadb).catch(() => null)
    if (!grants) return `has the role ${role}, whose rights are not shown to it`
    for (const [grant] of grants) {
      const excess = excessOf(grant!)
      if (excess) return excess
      const further = roleOf(grant!)
      if (further && !roles.has(further)) waiting.push(further)
      if (further) roles.add(further)
    }
  }
  return null
}

/** MariaDB shows the rights of the role that is taken on, and of those within it. */
async function grantsOf(ask: Ask, role: string | null, isMariadb: boolean): Promise<Cells[]> {
  if (role === null) return ask('SHOW GRANTS FOR CURRENT_USER()')
  if (!isMariadb) return ask(`SHOW GRANTS FOR CURRENT_USER() USING ${role}`)
  await ask(`SET ROLE ${role}`)
  const grants = await ask('SHOW GRANTS FOR CURRENT_ROLE')
  await ask('SET ROLE NONE')
  return grants
}

/** `SELECT (a, b), SHOW VIEW` without what stands in brackets. */
const withoutColumns = (listed: string) =>
  listed
    .split('(')
    .map((part, at) => (at ? part.slice(part.indexOf(')') + 1 || part.length) : part))
    .join('')

/** What a line of SHOW GRANTS gives beyond reading, without what it says of passwords. */
export function excessOf(grant: string): string | null {
  const [, listed, place] = /^GRANT (.+?) ON (.+?) TO /.exec(grant) ?? []
  if (listed === undefined) return null
  const words = withoutColumns(listed).split(',')
  const excess = words.map((word) => word.trim()).find((word) => !READING.includes(word))
  const where = place!.replaceAll('`', '')
  if (excess) return `may ${excess} on ${where}`
  return /WITH GRANT OPTION/.test(grant) ? `may grant rights on ${where}` : null
}

/** A role that a line of SHOW GRANTS gives, quoted as it is there. */
function roleOf(grant: string): string | undefined {
  const name = /(?:`(?:[^`]|``)+`|'(?:[^']|'')+'|[\w-]+)/.source
  return new RegExp(`^GRANT (${name}(?:@${name})?) TO `).exec(grant)?.[1]
}
