// node bench/predict/run.ts [runs]: time and peak memory of `restock predict` as a process; then the engine
// alone on series of 730 days.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { grid } from './grid.ts'

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
  for (const places of [1, 13]) {
    const { path, series, rows } = ukSeries(places)
    console.log(`${series} series, ${rows} rows, 374 days, horizons 7, 28, 90`)
    for (const workers of new Set([1, availableParallelism()])) {
      const outcomes: Outcome[] = []
      for (let run = 0; run < runs; run++) outcomes.push(await measure(path, workers))
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

/** A file with the UK rows of the set, copied to a number of locations. */
function ukSeries(places: number) {
  const [header, ...lines] = gunzipSync(readFileSync(SOURCE)).toString().trimEnd().split('\n')
  const own = lines.filter((line) => line.split(',')[1] === 'UK')
  const path = join(folder, `${places}.csv`)
  const all = Array.from({ length: places }, (_, place) =>
    own.map((line) => line.replace(',UK,', `,UK${place},`)).join('\n'),
  )
  writeFileSync(path, [header, ...all].join('\n'))
  const skus = new Set(own.map((line) => line.split(',')[0])).size
  return { path, rows: places * own.length, series: places * skus }
}

function measure(path: string, workers: number): Promise<Outcome> {
  const args = ['predict', '--history', path, '--as-of', '2011-12-10', '--horizons', '7,28,90']
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
