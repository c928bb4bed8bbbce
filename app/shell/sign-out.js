// The way out, where there is one: mocked users of development have none.
import { texts } from './texts.js'

async function leave(how) {
  // SAP's router ends its session at this address, the service its own.
  if (how === 'router') return location.assign('/auth/logout')
  const answer = await fetch('/auth/logout', { method: 'POST' })
  location.assign((await answer.json()).location)
}

/** @returns a button, or null where nobody can sign out */
export async function signOutButton() {
  const answer = await fetch('/auth/session').catch(() => null)
  const { signsOut } = answer?.ok ? await answer.json() : {}
  if (!signsOut) return null
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'sign-out',
    textContent: texts.signOut,
  })
  button.addEventListener('click', () => leave(signsOut))
  return button
}
