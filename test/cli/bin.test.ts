import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restock, restockHere } from './run.ts'

const BUNDLED = join(import.meta.dirname, '../../node_modules/node/bin/node')

describe('restock', () => {
  let folder: string
  let asOldNode: string[]
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'restock-'))
    const preload = join(folder, 'old.cjs')
    const versions = `{ ...process.versions, node: '20.20.2' }`
    writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
    asOldNode = ['--require', preload]
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('says in one line that Node is too old', async () => {
    const env = { RESTOCK_NODE_HANDED_OVER: '1' }
    expect(await restock(['--version'], { node: asOldNode, env })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: restock needs Node 22.18 or later, and this is Node 20.20.2.\n',
    })
  })

  const itWithBundledNode = existsSync(BUNDLED) ? it : it.skip // installed with the dev dependencies
  itWithBundledNode('hands over to the Node of the checkout, exit code and all', async () => {
    expect(await restock(['--version'], { node: asOldNode })).toMatchObject({ code: 0, stderr: '' })
    expect(await restock(['nonsense'], { node: asOldNode })).toMatchObject({ code: 2, stdout: '' })
  })

  it('keeps what Node compiled; a folder that cannot be written costs time alone', async () => {
    const kept = join(folder, 'compiled')
    expect(await restock(['--version'], { env: { NODE_COMPILE_CACHE: kept } })).toMatchObject({
      code: 0,
    })
    expect(readdirSync(kept)).not.toHaveLength(0)
    const env = { NODE_COMPILE_CACHE: '/dev/null/nowhere' }
    expect(await restock(['--version'], { env })).toMatchObject({ code: 0, stderr: '' })
  })

  const itWithFullDisk = existsSync('/dev/full') ? it : it.skip
  itWithFullDisk('says in one line that its output cannot be written', async () => {
    const full = openSync('/dev/full', 'w')
    const { code, stderr } = await restock(['--version'], { stdout: full })
    closeSync(full)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: the output cannot be written: ENOSPC[^\n]*\n$/)
  })

  it('without a command is wrong usage and shows the help', async () => {
    const { code, stderr } = await restockHere([])
    expect(code).toBe(2)
    expect(stderr).toContain('Usage: restock')
  })

  it.each([
    ['connect'],
    ['sync'],
    ['syncs', 'show'],
    ['proposals', 'list'],
    ['proposals', 'approve'],
    ['proposals', 'reject'],
    ['proposals', 'export'],
    ['exceptions', 'list'],
    ['exceptions', 'settle'],
    ['forecasts', 'get'],
    ['sources', 'list'],
    ['keys', 'create'],
    ['keys', 'list'],
    ['keys', 'revoke'],
    ['keys', 'rotate'],
    ['predict'],
    ['backtest'],
  ])('%s %s --help ends in examples', async (...command) => {
    const { code, stdout, stderr } = await restockHere([...command, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/Examples?:\n +\$? ?(npx )?restock /)
  })

  it.each([[['nonsense']], [['proposals']], [['proposals', 'nonsense']], [['sync', 'x', 'y']]])(
    'is wrong usage with %p',
    async (args) => {
      const { code, stdout } = await restockHere(args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    },
  )
})
