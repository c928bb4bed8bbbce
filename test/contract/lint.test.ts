import { createConfig, lintFromString } from '@redocly/openapi-core'
import { openApiText } from '../../srv/doors/v1/openapi.ts'
import { present } from './published.ts'

/** What Redocly's recommended rules find in a document. */
async function problemsOf(source: string) {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, severity, message, location }) =>
    [severity, ruleId, message, location[0]?.pointer].join(' '),
  )
}

it('is an OpenAPI document without a fault, by every recommended rule', async () => {
  expect(await problemsOf(openApiText())).toEqual([])
})

it('reports a fault', async () => {
  const document = present()
  document.paths['/forecasts']!.get!.operationId = ''
  document.components.schemas.Forecast = { type: 'text' }
  const problems = await problemsOf(JSON.stringify(document))
  expect(problems.some((problem) => problem.includes('operation-operationId'))).toBe(true)
  expect(problems.some((problem) => problem.startsWith('error struct'))).toBe(true)
})
