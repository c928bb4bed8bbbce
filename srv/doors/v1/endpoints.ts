import { auditEndpoints } from './resources/audit.ts'
import { costEndpoints } from './resources/costs/index.ts'
import { closureEndpoints } from './resources/calendars/closures.ts'
import { decideManyEndpoints, decisionEndpoints } from './resources/decisions.ts'
import { draftEndpoints } from './resources/drafts.ts'
import { eventEndpoints, webhookEndpoints } from './resources/webhooks.ts'
import { evidenceEndpoints } from './resources/evidence.ts'
import { exceptionEndpoints } from './resources/exceptions.ts'
import { forecastOverrideEndpoints } from './resources/forecast-overrides.ts'
import { forecastEndpoints } from './resources/forecasts.ts'
import type { Endpoint } from './http/endpoint.ts'
import { handOverEndpoints } from './resources/handovers/index.ts'
import { holidayCalendarEndpoints } from './resources/calendars/holiday-calendars.ts'
import { itemEndpoints } from './resources/items/index.ts'
import { keyEndpoints } from './resources/keys.ts'
import { noticeEndpoints } from './resources/notices/index.ts'
import { plannedEventEndpoints } from './resources/calendars/planned-events.ts'
import { policyEndpoints } from './resources/policies.ts'
import { proposalEndpoints } from './resources/proposals.ts'
import { reportEndpoints } from './resources/reports/index.ts'
import { scorecardEndpoints } from './resources/scorecards.ts'
import { simulationEndpoints } from './resources/simulations.ts'
import { sourceEndpoints } from './resources/sources.ts'
import { getQuality, getSums, listPast } from './resources/source-figures.ts'
import { listTypes } from './resources/source-types.ts'
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
  ...scorecardEndpoints,
  ...simulationEndpoints,
  ...costEndpoints,
  ...auditEndpoints,
  ...policyEndpoints,
  ...forecastOverrideEndpoints,
  ...plannedEventEndpoints,
  ...holidayCalendarEndpoints,
  ...closureEndpoints,
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
