// The service cannot be reached: what was asked for waits, is told above the app, and is asked for again when it is back.
import { texts } from './texts.js'

const PAUSE_MS = 2_000
const TOLD_MS = 5_000

const bar = Object.assign(document.createElement('p'), { className: 'connection', hidden: true })
bar.setAttribute('role', 'alert')

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))

const isThere = () =>
  fetch('/health', { cache: 'no-store' }).then(
    ({ status }) => ![502, 504].includes(status),
    () => false,
  )

async function comeBack() {
  document.body.prepend(bar)
  Object.assign(bar, { hidden: false, textContent: texts.connectionLost })
  bar.classList.remove('back')
  do await pause(PAUSE_MS)
  while (!(await isThere()))
  bar.textContent = texts.connectionBack
  bar.classList.add('back')
  globalThis.dispatchEvent(new globalThis.Event('restock-back'))
  setTimeout(() => (bar.hidden = bar.classList.contains('back')), TOLD_MS)
}

let waiting

/** Resolves when the service answers again. However many calls wait, it is told and tried once. */
export const whenBack = () => (waiting ??= comeBack().finally(() => (waiting = undefined)))
