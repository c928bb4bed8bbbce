// The minimum cost of a full sync: fetches the same pages, parses them and inserts their rows into SQLite.
// node bench/sync/floor.ts <erp url> <authorization> <file with the paths> <database file>
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import axios from 'axios'

const [url, authorization, pathsFile, databaseFile] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
]
const CONCURRENCY = 4
const paths = readFileSync(pathsFile, 'utf8').split('\n').filter(Boolean)

const db = new DatabaseSync(databaseFile)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536')
db.exec(
  'CREATE TABLE line (document TEXT, item TEXT, sku TEXT, location TEXT, day TEXT, quantity REAL)',
)
db.exec('CREATE TABLE other (kind TEXT, json TEXT)')
const line = db.prepare('INSERT INTO line VALUES (?, ?, ?, ?, ?, ?)')
const other = db.prepare('INSERT INTO other VALUES (?, ?)')

interface Item {
  MaterialDocument: string
  MaterialDocumentItem: string
  Material: string
  Plant: string
  QuantityInBaseUnit: string
}
type Row = Record<string, unknown> & { to_MaterialDocumentItem?: { results?: Item[] } }

let rows = 0

/** Document lines are stored as columns, with or without expanded headers; other rows as JSON. */
function store(path: string, found: Row[]) {
  db.exec('BEGIN')
  for (const row of found) {
    const items =
      row.to_MaterialDocumentItem?.results ?? ('MaterialDocumentItem' in row ? [row] : [])
    for (const item of items as Item[]) {
      const { MaterialDocument, MaterialDocumentItem, Material, Plant, QuantityInBaseUnit } = item
      const day = String(row.PostingDate ?? '')
      const quantity = Number(QuantityInBaseUnit)
      line.run(MaterialDocument ?? '', MaterialDocumentItem, Material, Plant, day, quantity)
    }
    if (!items.length) other.run(path, JSON.stringify(row))
    rows += items.length || 1
  }
  db.exec('COMMIT')
}

async function fetchAll() {
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const { data } = await axios.get<{ d?: { results: Row[] }; value?: Row[] }>(`${url}${path}`, {
      headers: { authorization, accept: 'application/json' },
    })
    store(path.split('?')[0]!, data?.d?.results ?? data?.value ?? [])
  }
}

const start = performance.now()
await Promise.all(Array.from({ length: CONCURRENCY }, fetchAll))
const { user, system } = process.cpuUsage()
const cpu = (user + system) / 1e6
console.log(JSON.stringify({ seconds: (performance.now() - start) / 1000, cpu, rows }))
