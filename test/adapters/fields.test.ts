import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fieldsOf } from '../../adapters/fields.ts'
import { ADAPTER_TYPES, adapterOf } from '../../adapters/index.ts'

const folder = path.resolve(import.meta.dirname, '../../adapters')
type Texts = Record<'' | 'de', Record<string, string>>
const read = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Texts
const common = Object.keys(read('texts.json')[''])

describe.each(ADAPTER_TYPES)('what %s is asked for', (type) => {
  const adapter = adapterOf(type)!
  const own = read(`${type.replaceAll('_', '-')}/texts.json`)

  it('is called the same in English and in German', () => {
    expect(Object.keys(own.de)).toEqual(Object.keys(own['']))
    for (const text of Object.values({ ...own[''], ...own.de })) expect(text).toMatch(/\S/)
  })

  it('has a name for every field and option, and none for others', () => {
    const fields = fieldsOf(adapter, 'en')
    const named = new Set([...common, ...Object.keys(own[''])])
    expect(fields.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
    const names = fields.map(({ name }) => name)
    const unknown = Object.keys(own['']).filter(
      (key) => !names.includes(key.replace(/(_hint|=.*)$/, '')),
    )
    expect(unknown).toEqual([])
  })

  it('asks at once for nothing but its options', () => {
    const options = Object.keys(adapter.options.shape)
    expect(options).toEqual(expect.arrayContaining([...(adapter.fields?.options ?? [])]))
  })
})

it('tells of a field what it may be', () => {
  const fields = fieldsOf(adapterOf('s4hana')!, 'de-AT')
  const find = (name: string) => fields.find((each) => each.name === name)
  expect(find('auth')).toMatchObject({
    kind: 'choice',
    isMain: true,
    isRequired: false,
    preset: 'authorization_code',
    label: 'Anmeldung',
  })
  expect(find('auth')!.values[1]).toEqual({ value: 'basic', name: 'Kommunikationsbenutzer' })
  expect(find('history_days')).toMatchObject({ kind: 'number', least: 1, most: 3650 })
  expect(find('sales_orders')).toMatchObject({ kind: 'flag', preset: 'true', isMain: false })
  expect(find('clientSecret')).toMatchObject({ kind: 'secret', isOption: false })
  expect(fields[0]).toMatchObject({ name: 'account', isRequired: true })
})
