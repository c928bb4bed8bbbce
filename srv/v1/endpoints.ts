import { auditEndpoints } from './audit/endpoints.ts'
import { decisionEndpoints } from './proposals/decisions.ts'
import { decideManyEndpoints } from './proposals/decide-many.ts'
import { eventEndpoints } from './events/endpoints.ts'
import { evidenceEndpoints } from './proposals/evidence.ts'
import { exceptionEndpoints } from './exceptions/endpoints.ts'
import { forecastOverrideEndpoints } from './forecast-overrides/endpoints.ts'
import { forecastEndpoints } from './forecasts/endpoints.ts'
import type { Endpoint } from './http/endpoint.ts'
import { holidayCalendarEndpoints } from './holiday-calendars/endpoints.ts'
import { keyEndpoints } from './keys/endpoints.ts'
import { plannedEventEndpoints } from './planned-events/endpoints.ts'
import { policyEndpoints } from './policies/endpoints.ts'
import { proposalEndpoints } from './proposals/endpoints.ts'
import { reportEndpoints } from './reports/endpoints.ts'
import { simulationEndpoints } from './simulations/endpoints.ts'
import { sourceEndpoints } from './sources/endpoints.ts'
import { getQuality } from './sources/quality.ts'
import { listTypes } from './sources/types.ts'
import { syncEndpoints } from './syncs/endpoints.ts'
import { webhookEndpoints } from './webhooks/endpoints.ts'

/** All of /v1, in the order in which paths are matched. */
export const endpoints = [
  ...forecastEndpoints,
  ...decideManyEndpoints,
  ...proposalEndpoints,
  ...decisionEndpoints,
  ...evidenceEndpoints,
  ...exceptionEndpoints,
  ...reportEndpoints,
  ...simulationEndpoints,
  ...auditEndpoints,
  ...policyEndpoints,
  ...forecastOverrideEndpoints,
  ...plannedEventEndpoints,
  ...holidayCalendarEndpoints,
  ...keyEndpoints,
  listTypes,
  ...sourceEndpoints,
  getQuality,
  ...syncEndpoints,
  ...webhookEndpoints,
  ...eventEndpoints,
] as Endpoint[]
