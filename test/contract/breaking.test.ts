import { breaksOf, type Contract, contractOf } from './contract.ts'
import { present, published } from './published.ts'
import type { Schema } from './schemas.ts'

const HOW =
  '/v1 breaks what it published. Put it back, or take it to /v2. ' +
  'Additions are no break: publish them with `node test/contract/publish.ts`.'

it('keeps what /v1 has published', () => {
  const breaks = breaksOf(published(), contractOf(present()))
  if (breaks.length) throw new Error(`${HOW}\n${breaks.join('\n')}`)
})

/** What is reported after a change of the present contract. */
function after(change: (contract: Contract) => void): string[] {
  const changed = structuredClone(contractOf(present()))
  change(changed)
  return breaksOf(contractOf(present()), changed)
}

const operationOf = ({ paths }: Contract, method: string, path: string) => paths[path]![method]!

const bodyOf = (contract: Contract, path: string) =>
  objectOf(operationOf(contract, 'post', path).requestBody!.content['application/json']!.schema)

/** A JSON Schema of objects. */
interface ObjectSchema {
  properties: Record<string, FieldSchema>
  required: string[]
}

interface FieldSchema extends Schema {
  enum: string[]
  items: FieldSchema
  properties: Record<string, FieldSchema>
}

const objectOf = (schema: Schema) => schema as unknown as ObjectSchema
const schemaOf = ({ components }: Contract, name: string) => objectOf(components.schemas[name]!)
const fieldOf = (contract: Contract, name: string, field: string) =>
  schemaOf(contract, name).properties[field]!
const parameterOf = (contract: Contract, path: string) =>
  operationOf(contract, 'get', path).parameters[0]!

describe('a break', () => {
  it.each<[string, (contract: Contract) => void, string]>([
    ['a path', (c) => delete c.paths['/forecasts'], 'GET /forecasts is gone'],
    ['a method', (c) => delete c.paths['/keys']!.post, 'POST /keys is gone'],
    [
      'a parameter',
      (c) => operationOf(c, 'get', '/forecasts').parameters.pop(),
      'GET /forecasts include_drivers is gone',
    ],
    [
      'a scope',
      (c) => (operationOf(c, 'get', '/audit').description = 'Scope: `keys:manage`.'),
      'GET /audit is not opened by audit:read any more',
    ],
    [
      'a field that is sent',
      (c) => delete bodyOf(c, '/keys').properties.acts_as,
      'POST /keys body.acts_as is gone',
    ],
    [
      'a success',
      (c) => delete operationOf(c, 'post', '/proposals/{id}/approve').responses[202],
      'POST /proposals/{id}/approve does not answer 202 any more',
    ],
  ])('is %s that goes', (_, change, told) => {
    expect(after(change)).toContain(told)
  })

  it('is a field or a value of an answer that goes, wherever it is given', () => {
    const field = after((c) => delete schemaOf(c, 'Proposal').properties.value)
    expect(field).toContain('GET /proposals/{id} 200.value is gone')
    expect(field).toContain('GET /proposals 200.data[].value is gone')
    const value = after((c) => fieldOf(c, 'Proposal', 'status').enum.pop())
    expect(value).toContain('GET /proposals/{id} 200.status lost cancelled')
    const code = after((c) => fieldOf(c, 'Error', 'error').properties.code!.enum.pop())
    expect(code).toEqual(['Error.error.code lost disk_full'])
  })

  it('is an answer that may lack a field or be something else', () => {
    const optional = after((c) => schemaOf(c, 'Forecast').required.pop())
    expect(optional).toContain('GET /forecasts 200.generated_at may be absent now')
    const nullable = after((c) => {
      c.components.schemas.Proposal!.properties = {
        ...schemaOf(c, 'Proposal').properties,
        sku: { anyOf: [fieldOf(c, 'Proposal', 'sku'), { type: 'null' }] },
      }
    })
    expect(nullable).toContain('GET /proposals/{id} 200.sku may be "null"')
    const other = after((c) => (fieldOf(c, 'Proposal', 'quantity').type = 'string'))
    expect(other).toContain('GET /proposals/{id} 200.quantity was "integer" and is "string"')
  })

  it('is an input that is newly required or narrower', () => {
    const parameter = after((c) => {
      parameterOf(c, '/keys').required = true
      parameterOf(c, '/keys').schema.maximum = 100
      parameterOf(c, '/forecasts').schema.pattern = '^[A-Z]+$'
    })
    expect(parameter).toEqual([
      'GET /forecasts sku is narrower: pattern ^[A-Z]+$',
      'GET /keys limit is narrower: maximum 100',
      'GET /keys limit is required now',
    ])
    const body = after((c) => {
      bodyOf(c, '/keys').required.push('acts_as')
      bodyOf(c, '/keys').properties.scopes!.items.enum.shift()
      operationOf(c, 'post', '/proposals/{id}/approve').requestBody!.required = true
    })
    expect(body).toEqual([
      'POST /proposals/{id}/approve needs a body now',
      'POST /keys body.scopes[] lost forecasts:read',
      'POST /keys body.acts_as is required now',
    ])
  })
})

const addNote = (schema: ObjectSchema) =>
  Object.assign(schema.properties, { note: { type: 'string' } })

describe('no break', () => {
  it.each<[string, (contract: Contract) => void]>([
    ['nothing', () => undefined],
    ['a path', (c) => (c.paths['/new'] = c.paths['/keys']!)],
    [
      'an optional parameter',
      (c) =>
        operationOf(c, 'get', '/keys').parameters.push({
          ...{ name: 'new', in: 'query', required: false, schema: { type: 'string' } },
        }),
    ],
    ['an optional field', (c) => addNote(bodyOf(c, '/keys'))],
    ['a field of an answer', (c) => addNote(schemaOf(c, 'Proposal'))],
    ['a value', (c) => fieldOf(c, 'Proposal', 'status').enum.push('new')],
    ['a wider range', (c) => (parameterOf(c, '/keys').schema.maximum = 500)],
  ])('is %s that is added', (_, change) => {
    expect(after(change)).toEqual([])
  })
})
