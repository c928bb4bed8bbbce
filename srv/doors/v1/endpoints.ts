import type { Endpoint } from './http/endpoint.ts'
import { auditEndpoints, evidenceEndpoints } from './resources/audit.ts'
import { calendarEndpoints } from './resources/calendars.ts'
import { costEndpoints } from './resources/costs.ts'
import { decideManyEndpoints, decisionEndpoints } from './resources/decisions.ts'
import { forecastEndpoints, forecastOverrideEndpoints } from './resources/forecasts.ts'
import { handOverEndpoints } from './resources/handovers.ts'
import { draftEndpoints, exceptionEndpoints, itemEndpoints } from './resources/items.ts'
import { noticeEndpoints } from './resources/notices.ts'
import { eventEndpoints, keyEndpoints, webhookEndpoints } from './resources/other-systems.ts'
import { policyEndpoints } from './resources/policies.ts'
import { proposalEndpoints } from './resources/proposals.ts'
import { reportEndpoints } from './resources/reports.ts'
import { simulationEndpoints } from './resources/simulations.ts'
import { getQuality, getSums, listPast } from './resources/source-figures.ts'
import { listTypes, sourceEndpoints } from './resources/sources.ts'
import { syncEndpoints } from './resources/syncs.ts'

/** All of /v1, in the order in which paths are matched. */
export const endpoints = [
  ...forecastEndpoints,
  ...decideManyEndpoints,
  ...proposalEndpoints,
  ...decisionEndpoints,
  ...noticeEndpoints,
  ...evidenceEndpoints,
  ...draftEndpoints,
  ...handOverEndpoints,
  ...itemEndpoints,
  ...exceptionEndpoints,
  ...reportEndpoints,
  ...simulationEndpoints,
  ...costEndpoints,
  ...auditEndpoints,
  ...policyEndpoints,
  ...forecastOverrideEndpoints,
  ...calendarEndpoints,
  ...keyEndpoints,
  listTypes,
  ...sourceEndpoints,
  getQuality,
  getSums,
  listPast,
  ...syncEndpoints,
  ...webhookEndpoints,
  ...eventEndpoints,
] as Endpoint[]
