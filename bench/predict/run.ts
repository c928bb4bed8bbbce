// node bench/predict/run.ts [runs]: `restock predict` on a 3,780-series file, timed as a whole process.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '../..')
const SOURCE = join(ROOT, 'data/source/online_retail_daily_sparse.csv.gz')
const runs = Number(process.argv[2] ?? 3)
const folder = mkdtempSync(join(tmpdir(), 'restock-bench-'))

try {
  const { path, series, rows } = ukSeries()
  console.log(`${series} series, ${rows} rows, 374 days, horizons 7, 28, 90`)
  for (const workers of new Set([1, availableParallelism()])) {
    const seconds = Array.from({ length: runs }, () => timed(path, workers)).sort((a, b) => a - b)
    const median = seconds[runs >> 1]!
    console.log(
      `${workers} of ${availableParallelism()} cores: ${median.toFixed(2)} s (of ${runs} runs:`,
      `${seconds.map((each) => each.toFixed(2)).join(' ')}), ${Math.round(series / median)} series/s`,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** The set's UK rows in a file of their own. */
function ukSeries() {
  const [header, ...lines] = gunzipSync(readFileSync(SOURCE)).toString().trimEnd().split('\n')
  const own = lines.filter((line) => line.split(',')[1] === 'UK')
  const path = join(folder, 'uk.csv')
  writeFileSync(path, [header, ...own].join('\n'))
  return { path, rows: own.length, series: new Set(own.map((line) => line.split(',')[0])).size }
}

function timed(path: string, workers: number): number {
  const args = ['predict', '--history', path, '--as-of', '2011-12-10', '--horizons', '7,28,90']
  const out = ['--out', join(folder, 'out.csv'), '--workers', String(workers)]
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [
    join(ROOT, 'bin/restock.js'),
    ...args,
    ...out,
  ])
  if (status !== 0) throw new Error(stderr.toString())
  return (performance.now() - start) / 1000
}
