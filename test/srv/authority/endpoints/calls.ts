// Every call that the running service offers, found in its routes and its model. None names anything that exists.
import cds from '@sap/cds'
import type { Application, Router } from 'express'
import { endpoints } from '../../../../srv/doors/v1/endpoints.ts'
import { taskCenterRouter } from '../../../../srv/doors/tasks/task-center/index.ts'

export interface Call {
  /** As the table has it. */
  what: string
  method: string
  path: string
  body?: object
}

const NONE = '99999999'

export const callsOfV1 = (): Call[] =>
  endpoints.map(({ method, path }) => ({
    what: `${method.toUpperCase()} \`${path}\``,
    method: method.toUpperCase(),
    path: `/v1${path.replaceAll(/:\w+/g, NONE)}`,
    body: ['post', 'put', 'patch'].includes(method) ? {} : undefined,
  }))

interface Layer {
  route?: { path: string; methods: Record<string, boolean> }
}

function callsOfRoutes({ stack }: { stack: unknown[] }, below = ''): Call[] {
  return (stack as Layer[]).flatMap(({ route }) =>
    Object.keys(route?.methods ?? {}).map((name) => {
      const method = name.toUpperCase()
      return {
        what: `${method} \`${below}${route!.path}\``,
        method,
        path: below + route!.path.replaceAll(/:\w+/g, NONE),
        body: ['POST', 'PATCH'].includes(method) ? {} : undefined,
      }
    }),
  )
}

export const callsOfTaskCenter = () => callsOfRoutes(taskCenterRouter(), '/task-provider/v2')

/** What is mounted as a whole, by an address of it, and every route beside. */
export const callsOfPages = (): Call[] => {
  const { router } = cds.app as unknown as Application & { router: Router }
  const mounted = [
    ...['/', '/docs/', '/v1/openapi.json', '/apps/buyer/index.html', '/apps/admin/index.html'],
    ...['/auth/session', '/auth/signed-out'],
    ...['/oauth/authorize', '/oauth/callback'],
  ]
  const pages = mounted.map((path) => ({ what: `GET \`${path}\``, method: 'GET', path }))
  const routes = callsOfRoutes(router).filter(({ path }) => !/[*{(]/.test(path))
  return [...pages, ...routes.filter(({ path }) => !mounted.includes(path))]
}

interface Element {
  name: string
  type?: string
  key?: boolean
  isAssociation?: boolean
}

interface Definition {
  name: string
  kind: string
  elements: Record<string, Element>
  params?: Record<string, Element>
  actions?: Record<string, Definition>
  '@odata.singleton'?: boolean
  '@cds.odata.bindingparameter.collection'?: boolean
}

const VALUES: Record<string, string> = {
  'cds.Integer': NONE,
  'cds.UUID': 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  'cds.Integer64': NONE,
}

const valueOf = ({ type = '' }: Element) => VALUES[type] ?? "'none'"
const namedValues = (elements: Element[]) =>
  elements.map((element) => `${element.name}=${valueOf(element)}`).join(',')

const keyOf = ({ elements }: Definition) =>
  namedValues(Object.values(elements).filter(({ key, isAssociation }) => key && !isAssociation))

function callsOfEntity(service: string, at: string, name: string, entity: Definition): Call[] {
  const one = entity['@odata.singleton'] ? name : `${name}(${keyOf(entity)})`
  const list = entity['@odata.singleton'] ? name : `${name}?$top=1`
  const changes: Call[] =
    'criticality' in entity.elements
      ? []
      : [
          { what: `create \`${name}\``, method: 'POST', path: `${at}/${name}`, body: {} },
          { what: `update \`${name}\``, method: 'PATCH', path: `${at}/${one}`, body: {} },
          { what: `delete \`${name}\``, method: 'DELETE', path: `${at}/${one}` },
        ]
  const bound = Object.entries(entity.actions ?? {}).map(([event, definition]) => {
    const to = definition['@cds.odata.bindingparameter.collection'] ? name : one
    return callOf(`${at}/${to}/${service}.${event}`, `\`${name}/${event}\``, definition)
  })
  return [{ what: `read \`${name}\``, method: 'GET', path: `${at}/${list}` }, ...changes, ...bound]
}

function callOf(path: string, what: string, { kind, params = {} }: Definition): Call {
  if (kind === 'action') return { what, method: 'POST', path, body: {} }
  return { what, method: 'GET', path: `${path}(${namedValues(Object.values(params))})` }
}

/** @param at where the service is served, such as `/odata/v4/buyer` */
export function callsOfService(service: string, at: string): Call[] {
  const { entities, operations } = cds.services[service] as unknown as {
    entities: Record<string, Definition>
    operations: Record<string, Definition>
  }
  return [
    { what: 'the model', method: 'GET', path: `${at}/$metadata` },
    ...Object.entries(entities)
      .filter(([name]) => !name.endsWith('.texts'))
      .flatMap(([name, entity]) => callsOfEntity(service, at, name, entity)),
    ...Object.entries(operations).map(([name, definition]) =>
      callOf(`${at}/${name}`, `\`${name}\``, definition),
    ),
  ]
}

/** The services that are served, and where. */
export function servedServices(): { name: string; at: string }[] {
  const services = cds.services as unknown as Record<string, Served>
  return Object.values(services).flatMap(({ name, endpoints = [] }) =>
    endpoints.map(({ path }) => ({ name, at: path })),
  )
}

interface Served {
  name: string
  endpoints?: { path: string }[]
}
