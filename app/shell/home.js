// The start page: what waits, and the way there.
import { signOutButton } from './sign-out.js'
import { dataAge, language, readOverview, texts } from './texts.js'

const BUYER = '/apps/buyer/index.html'
const count = new Intl.NumberFormat(language)

const TILES = [
  { text: 'today', href: `${BUYER}#/Home` },
  { text: 'due', href: `${BUYER}?view=due`, count: 'due' },
  { text: 'open', href: `${BUYER}?view=open`, count: 'pending' },
  { text: 'small', href: `${BUYER}?view=small`, count: 'small' },
  { text: 'stockout', href: `${BUYER}?view=stockout`, count: 'stockoutBeforeArrival' },
  { text: 'second', href: `${BUYER}?view=second`, count: 'awaitingSecond' },
  { text: 'blocked', href: `${BUYER}?view=blocked`, count: 'blocked' },
  { text: 'admin', href: '/apps/admin/index.html', role: 'Admin' },
]
const REFERENCE = [{ text: 'api', href: '/docs/' }]

function tile({ text, href, count: name }, overview) {
  const [title, words] = texts[text]
  const link = Object.assign(document.createElement('a'), { href })
  const strong = Object.assign(document.createElement('strong'), { textContent: title })
  const quiet = Object.assign(document.createElement('span'), {
    className: 'quiet',
    textContent: words,
  })
  link.append(strong, quiet)
  if (name && overview) {
    const textContent = count.format(overview[name])
    link.append(Object.assign(document.createElement('span'), { className: 'count', textContent }))
  }
  const item = document.createElement('li')
  item.append(link)
  return item
}

function show(overview) {
  const isShown = ({ role }) => !role || overview?.roles.split(',').includes(role)
  const fill = (id, tiles) =>
    document
      .getElementById(id)
      .replaceChildren(...tiles.filter(isShown).map((each) => tile(each, overview)))
  fill('tiles', TILES)
  fill('reference', REFERENCE)
}

document.getElementById('tiles-title').textContent = texts.tiles
document.getElementById('reference-title').textContent = texts.reference
show(null)
signOutButton().then((button) => button && document.querySelector('main').append(button))
const age = document.getElementById('age')
try {
  const overview = await readOverview()
  show(overview)
  age.textContent = `${overview.user} · ${dataAge(overview)}`
  age.classList.toggle('old', overview.isDataStale || overview.failingSources > 0)
} catch ({ status }) {
  age.textContent = status === 401 || status === 403 ? texts.signIn : texts.noCounts
}
