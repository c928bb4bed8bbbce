import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Fatal } from '../../../adapters/errors.ts'
import { csvAdapter } from '../../../adapters/csv/index.ts'
import { demandFile, temporaryRoot } from './files.ts'

const { adapter, connect, outer, pages, put, root } = temporaryRoot()
const DEMAND = demandFile('A,L1,2025-01-01,1')
const SECRET = demandFile('SECRET,L1,2025-01-01,1')

function refusalOf(account: string): unknown {
  try {
    adapter.streams(connect(account))
  } catch (error) {
    expect(error).toBeInstanceOf(Fatal)
    return error
  }
  return null
}

describe('the folder of a csv account', () => {
  beforeAll(() => {
    mkdirSync(join(outer, 'outside'))
    writeFileSync(join(outer, 'outside', 'demand.csv'), SECRET)
    // A neighbour whose name begins with the root's.
    mkdirSync(join(outer, 'root-2'))
    writeFileSync(join(outer, 'root-2', 'demand.csv'), SECRET)
  })

  it.each([
    ['a way up', '../outside'],
    ['a way up and down again', 'x/../../outside'],
    ['a way up to the same folder', 'x/../x'],
    ['a way up with backslashes', '..\\outside'],
    ['an absolute path', '/etc'],
    ['a NUL', 'x\0y'],
    ['nothing', ''],
  ])('is refused when the account is %s', (_, account) => {
    expect(refusalOf(account)).toMatchObject({ code: 'folder_not_allowed', target: 'account' })
  })

  it('is refused when it is a link that leads outside', () => {
    symlinkSync(join(outer, 'outside'), join(root, 'leak'))
    symlinkSync(join(outer, 'root-2'), join(root, 'leak-2'))
    expect(refusalOf('leak')).toMatchObject({ code: 'folder_not_allowed' })
    expect(refusalOf('leak-2')).toMatchObject({ code: 'folder_not_allowed' })
  })

  it('is refused when it becomes such a link after connecting', async () => {
    const account = put({ 'demand.csv': DEMAND })
    const stream = adapter.streams(connect(account)).at(-1)!
    renameSync(join(root, account), join(root, `${account}-old`))
    symlinkSync(join(outer, 'outside'), join(root, account))
    const read = stream.read(null, new AbortController().signal)[Symbol.asyncIterator]().next()
    await expect(read).rejects.toMatchObject({ code: 'folder_not_allowed' })
  })

  it('may be a link that stays inside, a folder of a folder, or the root itself', async () => {
    const account = put({ 'demand.csv': DEMAND, 'deep/er/demand.csv': DEMAND })
    symlinkSync(join(root, account), join(root, 'inside'))
    for (const name of ['inside', `${account}/deep/er`, `./${account}/`]) {
      expect((await pages('demand', name))[0]!.records).toHaveLength(1)
    }
    expect(refusalOf('.')).toBeNull()
  })

  it('is told to be missing without naming a path of the machine', () => {
    put({ 'file.csv': '' }, 'with-file')
    for (const account of ['nowhere', 'with-file/file.csv', 'x'.repeat(5000)]) {
      const refusal = refusalOf(account) as Fatal
      expect(refusal.code).toBe('folder_not_found')
      expect(refusal.message).not.toContain(outer)
    }
  })

  it('names the right that it needs by the folder alone', () => {
    expect(adapter.neededRights(connect('demo'))).toEqual(['read: demo'])
  })
})

describe('a file of a csv account', () => {
  it('is refused when it is a link that leads outside', async () => {
    const account = put({})
    symlinkSync(join(outer, 'outside', 'demand.csv'), join(root, account, 'demand.csv'))
    await expect(pages('demand', account)).rejects.toMatchObject({
      code: 'file_not_allowed',
      target: 'demand.csv',
    })
  })

  it('may be a link that stays inside', async () => {
    const account = put({ 'export-of-today.csv': DEMAND })
    symlinkSync('export-of-today.csv', join(root, account, 'demand.csv'))
    expect((await pages('demand', account))[0]!.records).toHaveLength(1)
  })

  it('is refused when it is a folder, a pipe or a link to nowhere', async () => {
    const account = put({ 'demand.csv/x': '', 'items.csv': 'sku\n' })
    execFileSync('mkfifo', [join(root, account, 'stock.csv')])
    symlinkSync('gone.csv', join(root, account, 'planning.csv'))
    for (const record of ['demand', 'stock', 'planning'] as const) {
      await expect(pages(record, account)).rejects.toMatchObject({ code: 'file_not_readable' })
    }
  })

  it('is refused when it is there packed and unpacked', async () => {
    const account = put({ 'demand.csv': DEMAND, 'demand.csv.gz': gzipSync(DEMAND) })
    await expect(pages('demand', account)).rejects.toMatchObject({
      code: 'ambiguous_file',
      message: expect.stringMatching(/demand\.csv .*demand\.csv\.gz/),
    })
  })

  it('is required for demand only', async () => {
    const account = put({})
    const required = adapter.streams(connect(account)).filter((stream) => stream.isRequired)
    expect(required.map(({ record }) => record)).toEqual(['demand'])
    await expect(pages('demand', account)).rejects.toMatchObject({ code: 'missing_file' })
    expect(await pages('stock', account)).toEqual([
      expect.objectContaining({ records: [], quarantined: [], cursor: 'absent' }),
    ])
  })
})

describe('the root of the csv source', () => {
  const before = process.env.RESTOCK_CSV_ROOT
  afterAll(() => {
    if (before === undefined) delete process.env.RESTOCK_CSV_ROOT
    else process.env.RESTOCK_CSV_ROOT = before
  })

  it('comes from the environment', () => {
    const account = put({ 'demand.csv': DEMAND })
    process.env.RESTOCK_CSV_ROOT = root
    expect(csvAdapter().streams(connect(account))).not.toHaveLength(0)
    process.env.RESTOCK_CSV_ROOT = join(outer, 'outside')
    expect(() => csvAdapter().streams(connect(account))).toThrow(Fatal)
  })

  it('is another one where the service itself says so, and never by an option', () => {
    mkdirSync(join(outer, 'own', 'demo'), { recursive: true })
    linkSync(join(outer, 'outside', 'demand.csv'), join(outer, 'own', 'demo', 'demand.csv'))
    const internal = { csvRoot: join(outer, 'own') }
    expect(adapter.streams({ ...connect('demo'), internal })).not.toHaveLength(0)
    expect(adapter.options.safeParse({ demo: true }).success).toBe(false)
    expect(adapter.options.safeParse({ csvRoot: '/' }).success).toBe(false)
  })
})
