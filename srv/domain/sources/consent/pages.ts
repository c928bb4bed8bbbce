// What the pages of a consent say.
import type { Page } from '../../../base/http/page.ts'
import type { Problem } from '../problems.ts'

/** `foreign`: another browser began it. `unknown`: never requested, or replaced by a later request. */
export type UnusableConsent = 'unknown' | 'used' | 'expired' | 'foreign'

export const CONNECT_AGAIN = 'Go back to where you started and connect again.'

export const NOT_ALLOWED: Page = {
  status: 405,
  title: 'Not possible',
  text: ['This address can only be opened, not posted to.'],
}

export const FAILED: Page = {
  status: 500,
  title: 'Not connected',
  text: ['Something went wrong on our side.', CONNECT_AGAIN],
}

export const UNUSABLE: Record<UnusableConsent, Page> = {
  used: {
    status: 410,
    title: 'This consent was already used',
    text: [
      'A consent can be used once. If you have just connected, there is nothing to do.',
      `Otherwise: ${CONNECT_AGAIN}`,
    ],
  },
  expired: {
    status: 410,
    title: 'This consent has expired',
    text: ['Consent must be given within ten minutes.', CONNECT_AGAIN],
  },
  unknown: {
    status: 400,
    title: 'This consent is unknown',
    text: ['Restock did not request it, or has requested a new one since.', CONNECT_AGAIN],
  },
  foreign: {
    status: 403,
    title: 'This consent was begun in another browser',
    text: [
      'A consent ends in the browser that it was begun in, and with its cookies. Nothing was connected.',
      'If somebody has sent you this address, close this window: you would give them access.',
      `Otherwise: ${CONNECT_AGAIN}`,
    ],
  },
}

/** Somebody comes by a link on another site's page, such as that of a mail. */
export const askFirst = (account: string, href: string): Page => ({
  status: 200,
  title: 'Connect an ERP?',
  text: [
    `You are about to let Restock read ${account}.`,
    'Go on only if you have just asked for it yourself. If somebody has sent you here, close this window.',
  ],
  link: { href, text: 'Go on' },
})

export const connectedPage = (account: string, missing: string[]): Page => ({
  status: 200,
  title: 'Connected, you may close this window',
  text: [`Restock may now read ${account}.`, ...missingRightsText(missing)],
})

const missingRightsText = (missing: string[]) =>
  missing.length ? [`Rights that are needed but were not granted: ${missing.join(', ')}.`] : []

export function problemPage({ code, message }: Problem): Page {
  const isDenied = code === 'consent_denied'
  return {
    status: isDenied ? 403 : 502,
    title: isDenied ? 'Consent denied' : 'Not connected',
    text: [message, isDenied ? `Nothing was connected. ${CONNECT_AGAIN}` : 'Nothing was stored.'],
  }
}
