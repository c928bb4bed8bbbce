// docs/guides/instances.md: "A new version, one after the other", with this version in both places.
import { execFileSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

it('restarts two instances in turns under load without a failed call or a lost decision', () => {
  const bench = path.join(root, 'bench/rolling/run.ts')
  execFileSync(process.execPath, [bench, '--times', '1'], { stdio: 'inherit', timeout: 600_000 })
}, 660_000)
