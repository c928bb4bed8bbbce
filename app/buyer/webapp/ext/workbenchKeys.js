// The page of a supplier's order by keyboard: single letters while a line has the focus, Ctrl and Enter everywhere.
sap.ui.define(['sap/m/ColumnListItem', 'sap/ui/core/Element'], (ColumnListItem, Element) => {
  const MARKS = { a: 'order', x: 'leave', r: 'reject', s: 'snooze' }

  const items = (page) => page.byId('lines').getItems()

  /** A table that grows has its next lines a moment later. */
  function focusLine(page, at) {
    setTimeout(() => {
      const all = items(page)
      all[Math.min(at, all.length - 1)]?.focus()
    }, 0)
  }

  function onLine(page, event, item) {
    const at = items(page).indexOf(item)
    const key = event.key.toLowerCase()
    if (MARKS[key] && page.state.getProperty('/mayDecide')) {
      page.mark(item.getBindingContext('order').getObject(), MARKS[key])
      focusLine(page, at + 1)
    } else if (key === 'q' || key === 'enter' || key === 'f2') {
      const input = item.getCells().find((cell) => cell.isA('restock.buyer.ext.QuantityInput'))
      input?.focus()
      input?.getFocusDomRef()?.select?.()
    } else if (key === 'n') page.onNext()
    else if (key === 'p') page.onPrevious()
    else if (key === '?') page.onKeys()
    else return false
    return true
  }

  /** From the field of a quantity to the next line. */
  function onField(page, event, field) {
    if (event.key !== 'Enter') return false
    focusLine(page, items(page).indexOf(field.getParent()) + 1)
    return true
  }

  function handle(page, event) {
    const control = Element.closestTo(event.target)
    const isForced = event.ctrlKey || event.metaKey
    let isDone = false
    if (isForced && event.key === 'Enter') {
      page.onDecide()
      isDone = true
    } else if (isForced || event.altKey) return
    else if (control?.isA('restock.buyer.ext.QuantityInput')) isDone = onField(page, event, control)
    else if (control instanceof ColumnListItem && event.target === control.getDomRef())
      isDone = onLine(page, event, control)
    if (!isDone) return
    event.preventDefault()
    event.stopPropagation()
  }

  return {
    focusLine,
    /** Before the table's own keys, of which Enter is one. */
    listen(page) {
      const view = page.getView()
      const listener = (event) => handle(page, event)
      view.addEventDelegate({
        onAfterRendering: () => {
          const dom = view.getDomRef()
          dom.removeEventListener('keydown', listener, true)
          dom.addEventListener('keydown', listener, true)
        },
      })
    },
  }
})
