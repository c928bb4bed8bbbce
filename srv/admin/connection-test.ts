// A connection that is tried before it is stored, and the fields that each kind of ERP is asked for.
import type { Request } from '@sap/cds'
import type * as Model from '#cds-models/SourcesService'
import { send } from '../services.ts'
import type { ServiceRow } from '../store/service-row.ts'
import { codeNames, message } from '../texts.ts'
import { parseInput } from './fields.ts'
import { pageOf } from './rows.ts'
import { NewSource } from './sources.ts'

type Test = ServiceRow<Model.ConnectionTest>
type SourceType = ServiceRow<Model.SourceType>

/** All fields of all kinds, since these rows are not filtered. */
export async function readFields(request: Request) {
  const types = await send<SourceType[]>('SourcesService', 'listTypes', {
    language: request.locale,
  })
  const rows = types.flatMap(({ type, fields }) =>
    fields.map(({ values, ...field }, position) => ({ type, position, ...field, choices: values })),
  )
  return pageOf(request, rows)
}

export async function testConnection({ data }: Request) {
  const test = await send<Test>('SourcesService', 'testConnection', parseInput(NewSource, data))
  const { needsConsent, neededRights, grantedRights, checks } = test
  const nameOf = await codeNames('StreamStatuses')
  const closed = checks.filter(({ status }) => status === 'forbidden' || status === 'failed')
  return {
    needsConsent,
    isReadable: !needsConsent && !closed.length,
    summary: summaryOf(needsConsent, checks.length, closed.length),
    streams: checks.map(({ record, status, message: said }) => ({
      ...{ name: message(`stream_${record}`), status, statusText: nameOf(status), message: said },
    })),
    rights: neededRights.map((name) => ({ name, granted: grantedRights.includes(name) })),
  }
}

function summaryOf(needsConsent: boolean, count: number, closed: number): string {
  if (needsConsent) return message('test_consent')
  return closed
    ? message('test_partly', { open: count - closed, count })
    : message('test_good', { count })
}
