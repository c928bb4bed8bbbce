// The page of an object begins at its first control that does no harm: Fiori elements would take Delete.
sap.ui.define(['sap/ui/core/mvc/ControllerExtension'], (ControllerExtension) => {
  const DELETE = /StandardAction::Delete/

  return ControllerExtension.extend('restock.admin.ext.FirstFocus', {
    override: {
      onPageReady(page) {
        // Fiori elements moves the focus once this has returned.
        if (page?.forceFocus)
          setTimeout(() => this.leaveDelete(this.base.getView().byId('fe::ObjectPage')))
      },
    },

    leaveDelete(layout) {
      if (!layout || !DELETE.test(globalThis.document.activeElement?.id)) return
      const actions = layout.getHeaderTitle()?.getActions() ?? []
      const isUsable = (action) => action.getVisible() && (action.getEnabled?.() ?? true)
      const harmless = actions.find((each) => isUsable(each) && !DELETE.test(each.getId()))
      const place = harmless ?? layout.getDomRef().querySelector('[role=listbox] [tabindex="0"]')
      place?.focus()
    },
  })
})
