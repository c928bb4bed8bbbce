// node bench/predict/run.ts [runs]: time and peak memory of `restock predict` as a process; then the engine
// alone on series of 730 days.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { toDate } from '../../engine/index.ts'
import { AS_OF, grid, twoYears } from './grid.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCE = join(ROOT, 'data/source/online_retail_daily_sparse.csv.gz')
const LOOK_EVERY_MS = 10
const runs = Number(process.argv[2] ?? 3)
const folder = mkdtempSync(join(tmpdir(), 'restock-bench-'))

interface Outcome {
  seconds: number
  coreSeconds: number
  peakMb: number
}

try {
  for (const file of [madeUp(280), ukSeries(1), ukSeries(13)]) {
    console.log(`${file.series} series, ${file.rows} rows, ${file.days} days, horizons 7, 28, 90`)
    for (const workers of new Set([1, availableParallelism()])) {
      const outcomes: Outcome[] = []
      for (let run = 0; run < runs; run++) outcomes.push(await measure(file, workers))
      const median = (of: (outcome: Outcome) => number) =>
        outcomes.map(of).sort((a, b) => a - b)[runs >> 1]!
      console.log(
        `  ${workers} of ${availableParallelism()} cores:`,
        `${median(({ seconds }) => seconds).toFixed(1)} s,`,
        `${median(({ coreSeconds }) => coreSeconds).toFixed(1)} s of a core,`,
        `peak ${outcomes.map(({ peakMb }) => peakMb).join(' ')} MB`,
      )
    }
  }
  await grid()
} finally {
  rmSync(folder, { recursive: true })
}

interface File {
  path: string
  asOf: string
  days: number
  series: number
  rows: number
}

/** A file of groceries with two years of past. */
function madeUp(series: number): File {
  const lines = twoYears(series).flatMap(({ days, quantities }, i) =>
    Array.from(days, (day, j) => `SKU-${i},L1,${toDate(day)},${quantities[j]}`),
  )
  const path = join(folder, 'made-up.csv')
  writeFileSync(path, ['sku,location,date,quantity', ...lines].join('\n'))
  return { path, asOf: AS_OF, days: 730, series, rows: lines.length }
}

/** A file with the UK rows of the set, copied to a number of locations. */
function ukSeries(places: number): File {
  const [header, ...lines] = gunzipSync(readFileSync(SOURCE)).toString().trimEnd().split('\n')
  const own = lines.filter((line) => line.split(',')[1] === 'UK')
  const path = join(folder, `${places}.csv`)
  const all = Array.from({ length: places }, (_, place) =>
    own.map((line) => line.replace(',UK,', `,UK${place},`)).join('\n'),
  )
  writeFileSync(path, [header, ...all].join('\n'))
  const skus = new Set(own.map((line) => line.split(',')[0])).size
  return { path, asOf: '2011-12-10', days: 374, series: places * skus, rows: places * own.length }
}

function measure({ path, asOf }: File, workers: number): Promise<Outcome> {
  const args = ['predict', '--history', path, '--as-of', asOf, '--horizons', '7,28,90']
  const out = ['--out', join(folder, 'out.csv'), '--workers', String(workers)]
  const start = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'bin/restock.js'), ...args, ...out], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let [peakMb, coreSeconds] = [0, 0]
  const look = setInterval(() => {
    try {
      const own = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8')
      const ticks = own('stat').split(') ')[1]!.split(' ')
      coreSeconds = (Number(ticks[11]) + Number(ticks[12])) / 100
      peakMb = Math.round(Number(/VmHWM:\s+(\d+)/.exec(own('status'))?.[1] ?? 0) / 1000) || peakMb
    } catch {
      // The process has ended, so its memory cannot be read any more.
    }
  }, LOOK_EVERY_MS)
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => {
      clearInterval(look)
      const seconds = (performance.now() - start) / 1000
      if (code === 0) resolve({ seconds, coreSeconds, peakMb })
      else reject(new Error(`restock predict ended with ${code}`))
    })
  })
}
