import type { Request } from 'express'
import { settings } from '../config.ts'
import type { Task } from './task.ts'

/** Where the service is reached from outside; as this call reached it where that is not configured. */
export const publicUrl = (req: Pick<Request, 'protocol' | 'get'>): string =>
  (settings().publicUrl ?? `${req.protocol}://${req.get('host')}`).replace(/\/$/, '')

const OBJECT_PAGE = '/apps/buyer/index.html#/Proposals({id})'
const LIST = '/apps/buyer/index.html'

/** The object page of a proposal; the list for a whole order. */
export function uiLinkOf({ proposal }: Pick<Task, 'proposal'>, base: string): string {
  if (proposal === null) return base + LIST
  const link = (settings().tasks.uiLink ?? base + OBJECT_PAGE).replace('{id}', String(proposal))
  return link.startsWith('/') ? base + link : link
}
