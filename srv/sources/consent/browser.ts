// The browser that begins a consent is given a cookie: only it may come back with what the ERP answers.
import { randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { clearCookie, cookieOf, setCookie } from '../../cookies.ts'
import { hashOf } from '../access/store-access.ts'

/** One a source, so that two consents that are given side by side do not end each other. */
const nameOf = (source: number) => `restock-consent-${source}`

/** What a browser is to prove by that it began a consent. */
export const newProof = () => randomBytes(32).toString('base64url')

/** The browser keeps it as long as the consent may be given. */
export const giveCookie = (res: Response, source: number, proof: string, milliseconds: number) =>
  setCookie(res, nameOf(source), proof, milliseconds)

export const forgetCookie = (res: Response, source: number) => clearCookie(res, nameOf(source))

/** The hash of the proof that a browser has for this source; null without one. */
export function hashOfProof(req: Request, source: number): string | null {
  const proof = cookieOf(req, nameOf(source))
  return proof ? hashOf(proof) : null
}
