import cds from '@sap/cds'
import { OwnFlowsService } from '../../../srv/base/cap/own-flows.ts'
import '../../support/server.ts'

const MODEL = `service Orders {
  entity Lines { key ID : Integer; status : String enum { open; closed; } } actions { action close(); };
  annotate Lines with @flow.status: status actions { close @from: #open @to: #closed; };
}`

const OPTIONS = { kind: 'app-service', impl: '' }
const model = cds.compile.for.nodejs(cds.compile(MODEL) as never)

/** The handlers that CAP gives a service of its own for the transition. */
async function handlersOf(Service: typeof cds.ApplicationService) {
  const service = new Service('Orders', model as never, OPTIONS)
  await service.init()
  const { handlers } = service as unknown as {
    handlers: Record<string, { before?: string; on?: string; after?: string }[]>
  }
  return Object.values(handlers)
    .flat()
    .filter((each) => [each.before, each.on, each.after].includes('close')).length
}

it('CAP makes the transitions of a flow itself', async () => {
  expect(await handlersOf(cds.ApplicationService)).toBeGreaterThan(0)
})

it('a service with flows of its own gets none of its handlers', async () => {
  expect(await handlersOf(OwnFlowsService)).toBe(0)
})
