import { breaksOf, contractOf } from './contract.ts'
import { present, published } from './published.ts'

const HOW =
  '/v1 breaks what it published. Put it back, or take it to /v2. ' +
  'Additions are no break: publish them with `node test/contract/publish.ts`.'

it('keeps what /v1 has published', () => {
  const breaks = breaksOf(published(), contractOf(present()))
  if (breaks.length) throw new Error(`${HOW}\n${breaks.join('\n')}`)
})

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- reaches anywhere into the document
type Anything = any

/** What is reported after a change of the present contract. */
function after(change: (contract: Anything) => void): string[] {
  const changed = structuredClone(contractOf(present()))
  change(changed)
  return breaksOf(contractOf(present()), changed)
}

const bodyOf = (contract: Anything, path: string) =>
  contract.paths[path].post.requestBody.content['application/json'].schema

describe('a break', () => {
  it.each<[string, (contract: Anything) => void, string]>([
    ['a path', (c) => delete c.paths['/forecasts'], 'GET /forecasts is gone'],
    ['a method', (c) => delete c.paths['/keys'].post, 'POST /keys is gone'],
    [
      'a parameter',
      (c) => c.paths['/forecasts'].get.parameters.pop(),
      'GET /forecasts include_drivers is gone',
    ],
    [
      'a scope',
      (c) => (c.paths['/audit'].get.description = 'Scope: `keys:manage`.'),
      'GET /audit is not opened by audit:read any more',
    ],
    [
      'a field that is sent',
      (c) => delete bodyOf(c, '/keys').properties.acts_as,
      'POST /keys body.acts_as is gone',
    ],
    [
      'a success',
      (c) => delete c.paths['/proposals/{id}/approve'].post.responses[202],
      'POST /proposals/{id}/approve does not answer 202 any more',
    ],
  ])('is %s that goes', (_, change, told) => {
    expect(after(change)).toContain(told)
  })

  it('is a field or a value of an answer that goes, wherever it is given', () => {
    const field = after((c) => delete c.components.schemas.Proposal.properties.value)
    expect(field).toContain('GET /proposals/{id} 200.value is gone')
    expect(field).toContain('GET /proposals 200.data[].value is gone')
    const value = after((c) => c.components.schemas.Proposal.properties.status.enum.pop())
    expect(value).toContain('GET /proposals/{id} 200.status lost cancelled')
    const code = after((c) =>
      c.components.schemas.Error.properties.error.properties.code.enum.pop(),
    )
    expect(code).toEqual(['Error.error.code lost forecast_not_ready'])
  })

  it('is an answer that may lack a field or be something else', () => {
    const optional = after((c) => c.components.schemas.Forecast.required.pop())
    expect(optional).toContain('GET /forecasts 200.generated_at may be absent now')
    const nullable = after((c) => {
      const { properties } = c.components.schemas.Proposal
      properties.sku = { anyOf: [properties.sku, { type: 'null' }] }
    })
    expect(nullable).toContain('GET /proposals/{id} 200.sku may be "null"')
    const other = after((c) => (c.components.schemas.Proposal.properties.quantity.type = 'string'))
    expect(other).toContain('GET /proposals/{id} 200.quantity was "integer" and is "string"')
  })

  it('is an input that is newly required or narrower', () => {
    const parameter = after((c) => {
      c.paths['/keys'].get.parameters[0].required = true
      c.paths['/keys'].get.parameters[0].schema.maximum = 100
      c.paths['/forecasts'].get.parameters[0].schema.pattern = '^[A-Z]+$'
    })
    expect(parameter).toEqual([
      'GET /forecasts sku is narrower: pattern ^[A-Z]+$',
      'GET /keys limit is narrower: maximum 100',
      'GET /keys limit is required now',
    ])
    const body = after((c) => {
      bodyOf(c, '/keys').required.push('acts_as')
      bodyOf(c, '/keys').properties.scopes.items.enum.shift()
      c.paths['/proposals/{id}/approve'].post.requestBody.required = true
    })
    expect(body).toEqual([
      'POST /proposals/{id}/approve needs a body now',
      'POST /keys body.scopes[] lost forecasts:read',
      'POST /keys body.acts_as is required now',
    ])
  })
})

describe('no break', () => {
  it.each<[string, (contract: Anything) => void]>([
    ['nothing', () => undefined],
    ['a path', (c) => (c.paths['/new'] = c.paths['/keys'])],
    [
      'an optional parameter',
      (c) =>
        c.paths['/keys'].get.parameters.push({
          ...{ name: 'new', in: 'query', required: false, schema: { type: 'string' } },
        }),
    ],
    ['an optional field', (c) => (bodyOf(c, '/keys').properties.note = { type: 'string' })],
    [
      'a field of an answer',
      (c) => (c.components.schemas.Proposal.properties.note = { type: 'string' }),
    ],
    ['a value', (c) => c.components.schemas.Proposal.properties.status.enum.push('new')],
    ['a wider range', (c) => (c.paths['/keys'].get.parameters[0].schema.maximum = 500)],
  ])('is %s that is added', (_, change) => {
    expect(after(change)).toEqual([])
  })
})
