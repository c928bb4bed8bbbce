// Real folders of real files, below a root of their own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Connection, Page } from '../../../adapters/adapter.ts'
import { csvAdapter } from '../../../adapters/csv/index.ts'
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { readAll, streamOf } from '../../conformance/adapter.ts'

export type Files = Record<string, string | Buffer>

/** A root that is removed after the file's tests. */
export function temporaryRoot() {
  const outer = mkdtempSync(join(tmpdir(), 'restock-csv-'))
  const root = join(outer, 'root')
  mkdirSync(root)
  afterAll(() => rmSync(outer, { recursive: true }))
  let folders = 0
  const adapter = csvAdapter({ root: () => root, settleSeconds: () => 0 })

  /** Writes files into a new folder, or into the account's; gives the account. */
  function put(files: Files, account = `account-${++folders}`): string {
    mkdirSync(join(root, account), { recursive: true })
    for (const [name, content] of Object.entries(files)) {
      const path = join(root, account, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
    return account
  }

  const connect = (account: string, options: Record<string, unknown> = {}): Connection => ({
    account,
    role: 'reader',
    baseUrl: null,
    options,
  })

  /** The pages of one kind of record. */
  const pages = <K extends RecordKind>(
    record: K,
    account: string,
    options: Record<string, unknown> = {},
    since: string | null = null,
  ) =>
    readAll(streamOf(adapter, connect(account, options), record), since) as unknown as Promise<
      Page<K>[]
    >

  /** All records and quarantined rows of one kind, from files of their own. */
  async function read<K extends RecordKind>(
    record: K,
    files: Files,
    options: Record<string, unknown> = {},
  ) {
    const all = await pages(record, put(files), options)
    return {
      records: all.flatMap((page) => page.records as RecordOf<K>[]),
      quarantined: all.flatMap((page) => page.quarantined),
    }
  }

  return { outer, root, adapter, put, connect, pages, read }
}

export const demandFile = (...rows: string[]) =>
  ['sku,location,date,quantity', ...rows].map((row) => `${row}\n`).join('')
