// The bar above an app that runs by itself: the way home, who it is, how old the numbers are.
const MINUTE_MS = 60_000
const bar = document.getElementById('shell')
const [age, user] = [document.createElement('span'), document.createElement('span')]

/** The pages of the app, where it names any; the present one is marked. */
function navigation(texts) {
  const names = bar.dataset.pages?.split(' ') ?? []
  if (!names.length) return []
  const links = names.map((name) => {
    const [text, href] = texts.pages[name]
    return Object.assign(document.createElement('a'), { href, textContent: text })
  })
  const nav = document.createElement('nav')
  nav.append(...links)
  nav.setAttribute('aria-label', texts.pages.label)
  const pageOf = (address) => address.replace(/^#\/?/, '').split(/[?(]/)[0]
  const mark = () => {
    for (const link of links) {
      const isHere = pageOf(link.hash) === pageOf(location.hash)
      if (isHere) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
  }
  mark()
  globalThis.addEventListener('hashchange', mark)
  return [nav]
}

async function showBar() {
  const { texts, dataAge, readOverview } = await import('./texts.js')
  const { signOutButton } = await import('./sign-out.js')
  const home = Object.assign(document.createElement('a'), {
    href: '../../',
    textContent: texts.home,
  })
  Object.assign(age, { className: 'age' })
  Object.assign(user, { className: 'user' })
  bar.replaceChildren(home, ...navigation(texts), age, user)
  const loading = document.querySelector('.loading')
  if (loading) loading.textContent = texts.loading
  const show = async () => {
    try {
      const overview = await readOverview()
      age.textContent = dataAge(overview)
      age.classList.toggle('old', overview.isDataStale || overview.failingSources > 0)
      user.textContent = overview.user
    } catch ({ status }) {
      age.textContent = status === 401 ? texts.sessionTitle : texts.noCounts
      age.classList.add('old')
    }
  }
  show()
  setInterval(show, MINUTE_MS)
  globalThis.addEventListener('restock-back', show)
  const button = await signOutButton()
  if (button) bar.append(button)
}

showBar()
