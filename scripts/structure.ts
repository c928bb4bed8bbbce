// Counts duplicated definitions in the code: `node scripts/structure.ts [folder]`.
// docs/decisions/0050-one-model-one-authority.md records the figures.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import console from 'node:console'
import { toSnake } from '../srv/base/texts/case.ts'

const root = path.resolve(process.argv[2] ?? '.')
const tracked = execFileSync('git', ['-C', root, 'ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((name) => /\.(ts|cds|js)$/.test(name))

const files = (folders: string[], ending = /./) =>
  tracked
    .filter((name) => folders.includes(name.split('/')[0]!) && ending.test(name))
    .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }))

const count = (texts: { text: string }[], pattern: RegExp) =>
  texts.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0)

/** Fields of an order line; a file that lists most of them repeats the shape of a proposal. */
const FIELDS = [
  ...['unitCost', 'orderBy', 'expiresAt', 'snoozedUntil', 'decidedAt', 'decidedBy', 'supersededBy'],
  ...[
    'leadTimeDays',
    'reviewPeriodDays',
    'targetQuantile',
    'targetStock',
    'netRequirement',
    'lotSize',
  ],
]

/** How often a file names a field at the start of a line or between commas: `unitCost: string`, `own.unitCost,`. */
const written = (text: string, field: string) =>
  text.match(new RegExp(`(^|[\\s.{'(,])(${field}|${toSnake(field)})'?\\s*[:,?]`, 'gm'))?.length ?? 0

/** Listings of a file: how often it names the median field; 0 if at least half of the fields are missing. */
function listingsOf(text: string): number {
  const times = FIELDS.map((field) => written(text, field)).sort((a, b) => a - b)
  return times[Math.floor(times.length / 2)]!
}

const listings = files(['db', 'srv', 'cli', 'client'], /\.(ts|cds)$/)
  .map(({ name, text }) => ({ name, listed: listingsOf(text) }))
  .filter(({ listed }) => listed > 0)

const STATUS =
  "'(pending|approved|rejected|snoozed|superseded|expired|awaiting_second_approval|ordered|cancelled)'"
const statusSets = files(['srv', 'cli', 'app'])
  .map(({ name, text }) => ({
    name,
    sets: count([{ text }], new RegExp(`${STATUS}\\s*,\\s*${STATUS}`, 'g')),
  }))
  .filter(({ sets }) => sets > 0)

const cds = files(['srv', 'db', 'app'], /\.cds$/)
const code = files(['srv'], /\.ts$/)

console.log(root)
console.table({
  'listings of the fields of a proposal': listings.reduce((sum, { listed }) => sum + listed, 0),
  'files with a set of statuses written out': statusSets.length,
  'entities without persistence (@cds.persistence.skip)': count(
    cds,
    /@cds\.persistence\.skip(?!: false)/g,
  ),
  'virtual elements': count(cds, /\bvirtual\b(?! elements)/g),
  'casts in srv (as unknown as, Record<string, unknown>)': count(
    code,
    /as unknown as|Record<string, unknown>/g,
  ),
  'lines of srv (ts, cds)': files(['srv'], /\.(ts|cds)$/).reduce(
    (sum, { text }) => sum + text.split('\n').length - 1,
    0,
  ),
})
for (const { name, listed } of listings) console.log(`fields    ${listed} ${name}`)
for (const { name, sets } of statusSets) console.log(`statuses  ${sets} ${name}`)
