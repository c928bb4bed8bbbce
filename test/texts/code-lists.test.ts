import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { DEMAND_CLASSES } from '../../engine/index.ts'
import { POLICY_LEVELS } from '../../srv/domain/proposals/policy/values.ts'
import { REASON_CODES } from '../../srv/base/texts/codes.ts'
import { EVENT_TYPES } from '../../srv/base/database/events.ts'
import { SCOPES } from '../../srv/domain/keys/index.ts'

const folder = path.resolve(import.meta.dirname, '../../db/data')
const rowsOf = (file: string): Record<string, string>[] =>
  parse(readFileSync(path.join(folder, file), 'utf8'), { delimiter: ';', columns: true })
const codesOf = (file: string) => rowsOf(file).map(({ code }) => code)

const lists = readdirSync(folder).filter((file) => !file.endsWith('.texts.csv'))

describe.each(lists)('%s', (file) => {
  it('names each code in both languages', () => {
    const german = rowsOf(file.replace('.csv', '.texts.csv'))
    expect(german.map(({ code }) => code)).toEqual(codesOf(file))
    expect(new Set(german.map(({ locale }) => locale))).toEqual(new Set(['de']))
    for (const { name } of [...rowsOf(file), ...german]) expect(name).toMatch(/\S/)
  })
})

it.each([
  ['PolicyLevels', POLICY_LEVELS],
  ['RejectionReasons', REASON_CODES],
  ['EventTypes', EVENT_TYPES],
  ['ApiKeyScopes', SCOPES],
  ['DemandClasses', DEMAND_CLASSES],
])('%s has every code that the service knows', (list, codes) => {
  expect(new Set(codesOf(`restock-${list}.csv`))).toEqual(new Set(codes))
})
