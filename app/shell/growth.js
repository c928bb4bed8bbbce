// What UI5 1.136 keeps of controls that are no more, and of those that it draws again: a tab that is open all day would
// only grow.
sap.ui.define(
  ['sap/fe/core/buildingBlocks/BuildingBlock', 'sap/m/MenuButton', 'sap/ui/core/mvc/View'],
  (BuildingBlock, MenuButton, View) => {
    const blocks = (BuildingBlock.default ?? BuildingBlock).prototype

    /** All building blocks of a class are kept to find one of them; each row of a table has some, and new ones when it is read anew. */
    function forgetWhenDestroyed() {
      const { destroy } = blocks
      blocks.destroy = function (...given) {
        const kept = this.constructor.instanceMap?.get(this.constructor)
        if (kept?.includes(this)) kept.splice(kept.indexOf(this), 1)
        return destroy.apply(this, given)
      }
    }

    /** Until their page ends, they are kept by what they would do then. What one follows it leaves when it is destroyed. */
    function endWithoutPage() {
      /** The page of the block that begins. */
      let page
      const { _checkIfMetadataReady: begin } = blocks
      blocks._checkIfMetadataReady = function (...given) {
        const outer = page
        page = this.getPageController(false)?.getView()
        try {
          return begin.apply(this, given)
        } finally {
          page = outer
        }
      }
      const { attachBeforeExit: attach } = View.prototype
      View.prototype.attachBeforeExit = function (...given) {
        return this === page ? this : attach.apply(this, given)
      }
    }

    /** A button with a menu follows its menu once more each time it is drawn. */
    function followMenuOnce() {
      const follow = MenuButton.prototype._attachMenuEvents
      MenuButton.prototype._attachMenuEvents = function () {
        this.getMenu()?.detachClosed(this._menuClosed, this)
        this.getMenu()?.detachItemSelected(this._menuItemSelected, this)
        follow.call(this)
      }
    }

    return {
      mend() {
        forgetWhenDestroyed()
        endWithoutPage()
        followMenuOnce()
      },
    }
  },
)
