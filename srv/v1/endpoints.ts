import { auditEndpoints } from './audit.ts'
import { decisionEndpoints } from './decisions.ts'
import { eventEndpoints } from './events.ts'
import { evidenceEndpoints } from './evidence.ts'
import { forecastEndpoints } from './forecasts.ts'
import type { Endpoint } from './http/endpoint.ts'
import { keyEndpoints } from './keys.ts'
import { policyEndpoints } from './policies.ts'
import { proposalEndpoints } from './proposals.ts'
import { reportEndpoints } from './reports.ts'
import { sourceEndpoints } from './sources.ts'
import { syncEndpoints } from './syncs.ts'
import { webhookEndpoints } from './webhooks.ts'

/** All of /v1, in the order in which paths are matched. */
export const endpoints = [
  ...forecastEndpoints,
  ...proposalEndpoints,
  ...decisionEndpoints,
  ...evidenceEndpoints,
  ...reportEndpoints,
  ...auditEndpoints,
  ...policyEndpoints,
  ...keyEndpoints,
  ...sourceEndpoints,
  ...syncEndpoints,
  ...webhookEndpoints,
  ...eventEndpoints,
] as Endpoint[]
