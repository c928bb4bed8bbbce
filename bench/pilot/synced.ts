// node bench/pilot/synced.ts [--skus 5000] [--days 730] [--workers 2]: see README.md
import { execFile } from 'node:child_process'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { waitUntil } from '../sync/processes.ts'
import { startWithSandbox } from '../sync/sandbox.ts'

const { values } = parseArgs({
  options: {
    skus: { type: 'string', default: '5000' },
    days: { type: 'string', default: '730' },
    workers: { type: 'string', default: '2' },
  },
})
const { folder, url, key, api, source, service, stop } = await startWithSandbox(values)

try {
  const { data: sync } = await api.post<{ id: string }>(`/sources/${source}/sync`, { mode: 'full' })
  const isEnded = async () =>
    (await api.get<{ finished_at: string | null }>(`/syncs/${sync.id}`)).data.finished_at ??
    undefined
  const synced = await secondsOf(() => waitUntil(isEnded, 1800, 1000))
  console.log(`synced in ${synced} s; peak of the service ${service.peakMemory()} MB`)
  const command = ['bin/restock.js', 'pilot', source, '--workers', values.workers]
  // The service must be read meanwhile, so that nothing here waits for the command with its thread.
  const took = await secondsOf(async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...command, '--page', path.join(folder, 'pilot.html')],
      {
        ...{ cwd: path.resolve(import.meta.dirname, '../..'), maxBuffer: 64e6 },
        env: { ...process.env, RESTOCK_URL: url, RESTOCK_API_KEY: key },
      },
    )
    console.log(stdout)
  })
  console.log(`pilot in ${took} s`)
} finally {
  await stop()
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return Math.round((performance.now() - began) / 1000)
}
