// xmpls/systemd/restock.service: what systemd itself says of it, and what the service needs of it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const unit = readFileSync(path.join(root, 'xmpls/systemd/restock.service'), 'utf8')
const settings = new Map(
  [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
)

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-unit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What `systemd-analyze verify` objects to; null where it is not here. */
function objections(): string | null {
  const file = path.join(folder, 'restock.service')
  // It wants the program to be there, which may stand elsewhere on this machine.
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath))
  const { error, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  return error ? null : stderr
}

const said = objections()
const whereSystemdIs = said === null ? it.skip : it

whereSystemdIs('systemd has no objection', () => {
  expect(said).toBe('')
})

whereSystemdIs('by its own measure it exposes little: 2 of 10 at most', () => {
  const file = path.join(folder, 'restock.service')
  const args = ['security', '--offline=true', '--threshold=20', '--no-pager', file]
  const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringContaining('Overall exposure level')])
})

it('runs as a user of its own, who may write nowhere but in its folder', () => {
  expect(settings.get('User')).toBe('restock')
  expect(settings.get('ProtectSystem')).toBe('strict')
  expect(settings.get('StateDirectory')).toBe('restock')
  expect(settings.get('NoNewPrivileges')).toBe('yes')
})

it('waits for a stop for longer than the service may take', () => {
  expect(settings.get('KillSignal')).toBe('SIGTERM')
  expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThanOrEqual(35)
  expect(settings.get('Restart')).toBe('always')
})

it('has a limit of memory above that of the heap, and room for connections', () => {
  expect(settings.get('MemoryMax')).toMatch(/^\d+G$/)
  expect(Number(settings.get('LimitNOFILE'))).toBeGreaterThan(10_000)
})
