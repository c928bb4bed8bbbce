// Whoever may not use this app is told so, with the way to the one for buyers; the page would stay blank.
sap.ui.define([], () => {
  const FORBIDDEN = 403
  const { document } = globalThis

  const element = (tag, values) => Object.assign(document.createElement(tag), values)

  /** Without the model there is no view to put it into. */
  async function show(component) {
    const bundle = await component.getModel('i18n').getResourceBundle()
    const text = (key) => bundle.getText(key)
    const page = element('main', { className: 'noAccess' })
    page.append(
      element('h1', { textContent: text('noAccessTitle') }),
      element('p', { textContent: text('noAccess') }),
      element('a', { textContent: text('toBuyer'), href: '../buyer/index.html#/Home' }),
    )
    document.querySelector('main')?.replaceWith(page)
    // The areas lead nowhere, either.
    document.getElementById('sections')?.remove()
  }

  return {
    /** Asks nothing by itself: the model is read for every page. */
    async tell(component) {
      // Fiori elements waits for the model in places of its own; it is told here.
      globalThis.addEventListener('unhandledrejection', (event) => {
        if (event.reason?.status === FORBIDDEN) event.preventDefault()
      })
      try {
        await component.getModel().getMetaModel().requestObject('/')
      } catch ({ status }) {
        if (status === FORBIDDEN) await show(component)
      }
    },
  }
})
