// The page of a supplier's order by keyboard: single letters while a line has the focus, Ctrl and Enter everywhere.
sap.ui.define(['./rowKeys'], (rowKeys) => {
  const MARKS = { a: 'order', x: 'leave', r: 'reject', s: 'snooze' }

  function onRow(page, key, line) {
    if (MARKS[key] && page.state.getProperty('/mayDecide')) {
      page.mark(line.getBindingContext('order').getObject(), MARKS[key])
      rowKeys.focusAfter(line)
    } else if (['q', 'enter', 'f2'].includes(key)) rowKeys.focusField(line)
    else if (key === 'n') page.onNext()
    else if (key === 'p') page.onPrevious()
    else if (key === '?') page.onKeys()
    else return false
    return true
  }

  function onForced(page, key) {
    if (key !== 'Enter') return false
    page.onDecide()
    return true
  }

  return {
    /** A table that grows has its next lines a moment later. What the order comes to stays in sight above them. */
    focusLine: (page, at) =>
      setTimeout(
        () => page.byId('lines').getItems()[at]?.getDomRef()?.focus({ preventScroll: true }),
        0,
      ),

    listen: (page) =>
      rowKeys.listen(page.getView(), {
        onRow: (key, line) => onRow(page, key, line),
        onForced: (key) => onForced(page, key),
      }),
  }
})
