import cds from '@sap/cds'
import {
  type Calibration,
  calibrationSample,
  contextsOf,
  EMPTY_CONTEXT,
  ENGINE_VERSION,
  type LocationContext,
  toEpochDay,
} from '../../engine/index.ts'
import { loadSample } from '../store/histories.ts'
import { calibrateSample } from './pool.ts'

const { SELECT, UPSERT } = cds.ql

/** What the series of a source teach each other. */
export interface Learnt {
  contexts: Map<string, LocationContext>
  /** Null where their past is too short: then all methods count alike. */
  calibration: Calibration | null
}

/**
 * Learns from a sample of each location's series, or recalls what was learnt before.
 * @param afresh whether to learn again although this engine has learnt already
 */
export async function learn(source: number, asOf: string, afresh: boolean): Promise<Learnt> {
  const known = afresh ? undefined : await recall(source, asOf)
  if (known) return known
  const sample = await loadSample(source, asOf)
  const day = toEpochDay(asOf)
  const contexts = contextsOf(sample, day)
  const chosen = calibrationSample(sample, ({ history }) => history, day)
  const calibration = await calibrateSample({
    asOf: day,
    sample: chosen.map(({ history, location }) => ({
      history,
      context: contexts.get(location) ?? EMPTY_CONTEXT,
    })),
  })
  await UPSERT.into('restock.Learnt').entries({
    source_ID: source,
    asOf,
    engineVersion: ENGINE_VERSION,
    contexts: JSON.stringify([...contexts]),
    calibration: JSON.stringify(calibration),
  })
  return { contexts, calibration }
}

async function recall(source: number, asOf: string): Promise<Learnt | undefined> {
  const row = await SELECT.one
    .from('restock.Learnt')
    .where({ source_ID: source, engineVersion: ENGINE_VERSION })
  if (!row) return undefined
  const contexts = new Map<string, LocationContext>(JSON.parse(row.contexts))
  // Where rows end was seen on another day: later rows may have come.
  if (row.asOf !== asOf) for (const context of contexts.values()) context.knownUntil = null
  return { contexts, calibration: JSON.parse(row.calibration) }
}
