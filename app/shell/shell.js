// The bar above an app that runs by itself: the way home, who it is, how old the numbers are.
const MINUTE_MS = 60_000
const bar = document.getElementById('shell')
const [age, user] = [document.createElement('span'), document.createElement('span')]

const nav = document.createElement('nav')
const pageOf = (address) => address.replace(/^#\/?/, '').split(/[?(]/)[0]

/** The pages of the app that are for these roles, where it names any. */
function showPages(texts, roles) {
  const names = bar.dataset.pages?.split(' ') ?? []
  const links = names.flatMap((name) => {
    const [text, href, needed] = texts.pages[name]
    const isFor = !needed || needed.split(',').some((role) => roles.includes(role))
    return isFor ? [Object.assign(document.createElement('a'), { href, textContent: text })] : []
  })
  // Whoever stands on a link stays there.
  if (links.length !== nav.children.length) nav.replaceChildren(...links)
  nav.setAttribute('aria-label', texts.pages.label)
  nav.hidden = !links.length
  markPage()
}

function markPage() {
  for (const link of nav.querySelectorAll('a')) {
    const isHere = pageOf(link.hash) === pageOf(location.hash)
    if (isHere) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
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
  showPages(texts, [])
  globalThis.addEventListener('hashchange', markPage)
  bar.replaceChildren(home, nav, age, user)
  const loading = document.querySelector('.loading')
  if (loading) loading.textContent = texts.loading
  const show = async () => {
    try {
      const overview = await readOverview()
      age.textContent = dataAge(overview)
      age.classList.toggle('old', overview.isDataStale || overview.failingSources > 0)
      user.textContent = overview.user
      showPages(texts, overview.roles.split(','))
    } catch ({ status }) {
      age.textContent = status === 401 ? texts.signIn : texts.noCounts
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
