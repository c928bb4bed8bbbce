// Until the UI5 libraries are there: what is going on, and then the app.
import { texts } from './texts.js'

const SECOND_MS = 1000
const [title, text, command, line] = ['title', 'text', 'command', 'line'].map((id) =>
  document.getElementById(id),
)

async function look() {
  const state = await fetch('/ui5/state').then((answer) => answer.json())
  if (state.is === 'built' || state.is === 'unbuilt') return location.reload()
  const isMissing = state.is === 'missing'
  title.textContent = isMissing ? texts.missing : texts.waiting
  text.textContent = isMissing ? texts.missingHow : texts.waitingWhy
  command.hidden = !isMissing
  line.textContent = isMissing ? (state.why ? texts.missingWhy(state.why) : '') : (state.line ?? '')
  setTimeout(look, SECOND_MS)
}

look()
