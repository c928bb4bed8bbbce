// A list is called by what it lists: Fiori elements calls each one by the name of the app.
sap.ui.define(['sap/ui/core/mvc/ControllerExtension'], (ControllerExtension) =>
  ControllerExtension.extend('restock.admin.ext.ListTitle', {
    override: {
      onAfterRendering() {
        this.isNamed ??= this.name()
      },
    },

    async name() {
      const view = this.base.getView()
      const text = await this.nameOf(view)
      const isTitle = (control) => control.isA('sap.m.Title')
      const titles = view.byId('fe::DynamicPageTitle')?.findAggregatedObjects(true, isTitle) ?? []
      if (text) for (const title of titles) title.unbindProperty('text', true).setText(text)
    },

    /** A page of several lists has a name of its own. */
    async nameOf(view) {
      const { contextPath, views } = view.getViewData()
      const isOfSeveral = new Set(views?.paths.map(({ entitySet }) => entitySet)).size > 1
      if (isOfSeveral)
        return (await view.getModel('i18n').getResourceBundle()).getText(`lists${contextPath}`)
      const name = `${contextPath}/@com.sap.vocabularies.UI.v1.HeaderInfo/TypeNamePlural`
      return view.getModel().getMetaModel().requestObject(name)
    },
  }),
)
