import type { Request } from '@sap/cds'
import { z } from 'zod'
import { PLAN_KINDS } from '../../engine/index.ts'
import { send } from '../services.ts'
import { optionalText, parseInput } from './fields.ts'
import { readOwnRow, type Row } from './rows.ts'

const NewEvent = z.object({
  kind: z.enum(PLAN_KINDS),
  firstDay: z.iso.date(),
  lastDay: z.iso.date().nullish(),
  sku: optionalText(100),
  location: optionalText(100),
  skuGroup: optionalText(100),
  factor: z.number().nullish(),
  price: z.number().min(0).nullish(),
  name: optionalText(200),
})

export async function addEvent({ data }: Request<Row>) {
  const event = parseInput(NewEvent, data)
  const { ID } = await send<{ ID: number }>('PlansService', 'add', { event })
  return readOwnRow('PlannedEvents', { ID })
}
