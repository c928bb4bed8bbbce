// One costly call at a time, again and again, while others go on working: see README.md.
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { workbook } from '../../test/tables/workbook.ts'
import { type Restock, startRestock } from '../serve/service.ts'
import { basic, Others } from './others.ts'

const LASTS_MS = 8_000
const AT_ONCE = 2

interface Attack {
  name: string
  atOnce: number
  /** @returns what it came to: a status, or how a sync ended */
  call(ends: number): Promise<string>
}

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../..'))

/** Each `eyJ` may be the start of a token, and each word that of an address. */
const maybeSecret = (length: number) => 'eyJ-'.repeat(length / 4)

/** Not kept in git: 8 MB of csv that are no rows, and some 5 MB of a workbook. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'restock-attack-'))
  if (existsSync(path.join(root, 'data'))) {
    await cp(path.join(root, 'data'), folder, { recursive: true })
  }
  const header = ['sku', 'location', 'date', 'quantity']
  const rows = Array.from({ length: 185_000 }, (_, at) => [
    ...['A-1', `L${at % 300}`, new Date(Date.UTC(2024, 0, 1 + Math.floor(at / 300)))],
    Math.random(),
  ])
  const files = {
    'quotes/demand.csv': `${header}\n${'"\n'.repeat(4_000_000)}`,
    'workbook/demand.xlsx': workbook([header, ...rows]),
  }
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file))
    await writeFile(file, content)
    // A file that has just changed may not be whole yet.
    await utimes(file, new Date(0), new Date(Date.now() - 3_600_000))
    if (process.env.BENCH_VERBOSE) console.error(name, content.length)
  }
  return folder
}

function attacksOf({ url, headers }: Restock): Attack[] {
  const { origin } = new URL(url)
  const buyer = `${origin}/odata/v4/buyer`
  const ask = async (address: string, method = 'GET', body?: object, by: object = headers) => {
    const answer = await fetch(address, {
      method,
      headers: { ...by, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: `${answer.status}`, text: await answer.text() }
  }
  const viewer = { Authorization: basic('viewer') }
  const read = async (query: string) =>
    (await ask(`${buyer}/${query}`, 'GET', undefined, viewer)).status
  const batch = async (url: string) => {
    const body = { requests: [{ id: '1', method: 'GET', url }] }
    const { status, text } = await ask(`${buyer}/$batch`, 'POST', body, viewer)
    const { responses } = JSON.parse(text) as { responses?: { status: number }[] }
    return `${status} (${responses?.map((part) => part.status).join() ?? 'none'})`
  }
  const connections = new Map<string, string>()
  /** Connects at first, then checks what is connected. */
  const check = async (account: string) => {
    const known = connections.get(account)
    if (known) return (await ask(`${url}/sources/${known}/check`, 'POST')).status
    const { status, text } = await ask(`${url}/sources`, 'POST', { type: 'csv', account })
    if (status === '201') connections.set(account, (JSON.parse(text) as { id: string }).id)
    else console.error(text)
    return status
  }
  const sync = async (account: string, ends: number) => {
    const start = `${url}/sources/${connections.get(account)}/sync`
    const begun = await ask(start, 'POST', { mode: 'full' })
    const { id } = JSON.parse(begun.text) as { id?: string }
    if (!id) return begun.status
    let isCancelled = false
    for (;;) {
      await sleep(300)
      const { text } = await ask(`${url}/syncs/${id}`)
      const { status, finished_at } = JSON.parse(text) as Record<string, string>
      if (finished_at) return status!
      if (Date.now() > ends + 20_000) return `still ${status}`
      if (Date.now() > ends && !isCancelled) {
        isCancelled = true
        await ask(`${url}/syncs/${id}/cancel`, 'POST')
      }
    }
  }
  const contains = Array.from({ length: 90 }, (_, at) => `contains(sku,'x${at}')`).join(' or ')
  const csv = (name: string, account: string): Attack[] => [
    { name: `${name}: connect, check`, atOnce: 1, call: () => check(account) },
    { name: `${name}: sync`, atOnce: 1, call: (ends) => sync(account, ends) },
  ]
  const calls = (name: string, call: () => Promise<string>) => ({ name, atOnce: AT_ONCE, call })
  return [
    { name: 'none', atOnce: 0, call: async () => '' },
    calls('`$batch` of 60 kB, as if of tokens', () =>
      batch(`Proposals?$top=1&x=${maybeSecret(60_000)}`),
    ),
    calls('`GET` of 15 kB, likewise', () => read(`Proposals?$top=1&x=${maybeSecret(15_000)}`)),
    calls('`$expand=*`', () => read('Proposals?$expand=*')),
    calls('`$batch` of ninety `contains`', () => batch(`Proposals?$filter=${contains}`)),
    calls('`$expand` of lists, no `$top`', () => read('Proposals?$expand=events,formula,similar')),
    ...csv('8 MB csv of stray quotes', 'quotes'),
    ...csv('5 MB xlsx', 'workbook'),
  ]
}

async function measure({ name, atOnce, call }: Attack, restock: Restock) {
  const others = new Others(new URL(restock.url).origin, restock.headers)
  const ends = Date.now() + LASTS_MS
  const counts = new Map<string, number>()
  let longest = 0
  const sender = async () => {
    while (Date.now() < ends) {
      const start = performance.now()
      const answer = await call(ends).catch((error: Error) => error.message)
      longest = Math.max(longest, performance.now() - start)
      counts.set(answer, (counts.get(answer) ?? 0) + 1)
    }
  }
  await Promise.all([sleep(LASTS_MS), ...Array.from({ length: atOnce }, sender)])
  const { p50, p99, worst } = await others.stop()
  const answers = [...counts].sort().map(([answer, count]) => `${count} × ${answer}`)
  const own = atOnce ? [answers.join(', '), Math.round(longest)] : ['–', '–']
  const cells = [name, ...own, others.failed, p50, p99, worst, loadavg()[0]!.toFixed(0)]
  console.log(`| ${cells.join(' | ')} |`)
}

const folder = await makeFolder()
try {
  const restock = await startRestock({ RESTOCK_CSV_ROOT: folder }, root)
  try {
    console.log('| call | answers | longest | others failed | p50 | p99 | worst | load |')
    console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
    const wanted = process.env.BENCH_CALL ?? ''
    for (const attack of attacksOf(restock)) {
      if (attack.name.includes(wanted)) await measure(attack, restock)
    }
  } finally {
    await restock.stop()
  }
} finally {
  await rm(folder, { recursive: true })
}
