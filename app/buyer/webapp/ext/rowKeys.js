// Single keys while a row of a table has the focus, and Enter in the field of its quantity. They come before the table's own.
sap.ui.define(['sap/m/ColumnListItem', 'sap/ui/core/Element'], (ColumnListItem, Element) => {
  const isField = (control) => control?.isA('restock.buyer.ext.QuantityInput')

  const siblings = (row) =>
    row
      .getParent()
      .getItems()
      .filter((item) => item instanceof ColumnListItem)

  /** What UI5 shows below the rows of a table while there are more of them. */
  const moreOf = (table) => Element.getElementById(`${table.getId()}-trigger`)

  /** A table that grows has its next rows a moment later. */
  function focusAfter(row) {
    const next = () => siblings(row)[siblings(row).indexOf(row) + 1]
    if (next()) return next().focus()
    moreOf(row.getParent())?.firePress()
    setTimeout(() => (next() ?? row).focus(), 0)
  }

  function focusField(row) {
    const input = row
      .getCells()
      .flatMap((cell) => cell.findAggregatedObjects(true, isField).concat(cell))
      .find(isField)
    input?.focus()
    input?.getFocusDomRef()?.select?.()
  }

  const rowOf = (control) =>
    control instanceof ColumnListItem || !control ? control : rowOf(control.getParent())

  const isTyping = (dom) => dom.closest('input, textarea, [contenteditable]') !== null

  /** @param handlers `onRow(key, row)`, `onAny(key)` elsewhere, `onForced(key)` with Ctrl; true where the key was theirs */
  function handle(handlers, event) {
    if (event.altKey) return
    const control = Element.closestTo(event.target)
    let isDone = false
    if (event.ctrlKey || event.metaKey) isDone = handlers.onForced?.(event.key) ?? false
    else if (isField(control)) {
      isDone = event.key === 'Enter'
      if (isDone) focusAfter(rowOf(control))
    } else if (control instanceof ColumnListItem && event.target === control.getDomRef())
      isDone = handlers.onRow(event.key.toLowerCase(), control)
    else if (!isTyping(event.target)) isDone = handlers.onAny?.(event.key.toLowerCase()) ?? false
    if (!isDone) return
    event.preventDefault()
    event.stopPropagation()
  }

  return {
    focusAfter,
    focusField,
    listen(view, handlers) {
      const listener = (event) => handle(handlers, event)
      view.addEventDelegate({
        onAfterRendering() {
          const dom = view.getDomRef()
          dom.removeEventListener('keydown', listener, true)
          dom.addEventListener('keydown', listener, true)
        },
      })
    },
  }
})
