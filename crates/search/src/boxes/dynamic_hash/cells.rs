//! Cells that come and go, in a tree and in a hash table, each with a list of objects.
//!
//! Cells and places in lists come from pools: what is given back is linked to a list of free ones
//! and used again, so memory follows the most that was in use at a time. All lists are linked both
//! ways, so anything leaves them in constant time. A cell exists as long as it has objects or
//! children; the count of children is `hasChildren` of Pouchol et al. 2009, §3.1, and unlike a flag
//! it can be taken back.

use crate::cells::cell_table::{hash, home};
use crate::cells::classes::Entry;
use hashfall_core::cell::Cell;

/// No cell and no place.
pub(crate) const NONE: u32 = u32::MAX;

/// The cell that is all of space; the cells of the largest class are its children.
pub(crate) const ROOT: u32 = 0;

/// The shortest table.
const MIN_SLOTS: usize = 16;

/// A tree of cells.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    nodes: Vec<Node>,
    places: Vec<Place>,
    /// The first cell of each slot of the table; their count is a power of two.
    slots: Vec<u32>,
    /// The first of the free cells, linked by `next_in_slot`.
    free_node: u32,
    /// The first of the free places, linked by `next`.
    free_place: u32,
    /// The count of cells in use, the root among them.
    in_use: usize,
}

/// A cell of some class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub position: Cell,
    /// The exponent of its size.
    pub class: i32,
    /// The sum of the hashes from the largest class down to this one (eq. 4).
    key: u64,
    parent: u32,
    /// How many smaller cells it holds, of the next class.
    pub children: u32,
    first_child: u32,
    previous_sibling: u32,
    next_sibling: u32,
    next_in_slot: u32,
    first_place: u32,
}

/// An object in a cell.
#[derive(Clone, Copy, Debug)]
struct Place {
    entry: Entry,
    cell: u32,
    previous: u32,
    next: u32,
    /// The next place of the same object.
    next_of_object: u32,
}

impl Default for Cells {
    fn default() -> Self {
        let mut empty = Cells {
            nodes: Vec::new(),
            places: Vec::new(),
            slots: Vec::new(),
            free_node: NONE,
            free_place: NONE,
            in_use: 0,
        };
        empty.clear();
        empty
    }
}

impl Cells {
    /// Forgets all but the root; keeps its memory.
    pub fn clear(&mut self) {
        let slots = self.slots.len().max(MIN_SLOTS);
        self.slots.clear();
        self.slots.resize(slots, NONE);
        self.places.clear();
        self.nodes.clear();
        self.nodes.push(Node {
            position: Cell::default(),
            class: i32::MAX,
            key: 0,
            parent: NONE,
            children: 0,
            first_child: NONE,
            previous_sibling: NONE,
            next_sibling: NONE,
            next_in_slot: NONE,
            first_place: NONE,
        });
        [self.free_node, self.free_place] = [NONE; 2];
        self.in_use = 1;
    }

    /// A cell in use.
    #[inline(always)]
    pub fn node(&self, cell: u32) -> &Node {
        &self.nodes[cell as usize]
    }

    /// The cell of a class at a position inside a cell of the class before.
    #[inline]
    pub fn child(&self, parent: u32, class: i32, position: Cell) -> Option<u32> {
        let key = self.node(parent).key.wrapping_add(hash(position));
        let mut cell = self.slots[home(key, self.slots.len())];
        while cell != NONE {
            let node = self.node(cell);
            if node.position == position && node.class == class {
                return Some(cell);
            }
            cell = node.next_in_slot;
        }
        None
    }

    /// As [`Cells::child`]; makes it if there is none.
    pub fn child_or_new(&mut self, parent: u32, class: i32, position: Cell) -> u32 {
        if let Some(child) = self.child(parent, class, position) {
            return child;
        }
        if self.in_use >= self.slots.len() {
            self.grow();
        }
        let key = self.node(parent).key.wrapping_add(hash(position));
        let slot = home(key, self.slots.len());
        let node = Node {
            position,
            class,
            key,
            parent,
            children: 0,
            first_child: NONE,
            previous_sibling: NONE,
            next_sibling: self.node(parent).first_child,
            next_in_slot: self.slots[slot],
            first_place: NONE,
        };
        let cell = self.free_node;
        let cell = if cell == NONE {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        } else {
            self.free_node = self.node(cell).next_in_slot;
            self.nodes[cell as usize] = node;
            cell
        };
        if node.next_sibling != NONE {
            self.nodes[node.next_sibling as usize].previous_sibling = cell;
        }
        let above = &mut self.nodes[parent as usize];
        above.first_child = cell;
        above.children += 1;
        self.slots[slot] = cell;
        self.in_use += 1;
        cell
    }

    /// The cells inside a cell, of the next class.
    #[inline]
    pub fn children(&self, cell: u32) -> impl Iterator<Item = u32> {
        let mut next = self.node(cell).first_child;
        std::iter::from_fn(move || {
            let child = next;
            next = self.nodes.get(child as usize)?.next_sibling;
            Some(child)
        })
    }

    /// Enters an object in a cell; `others` is the last of its places so far, or [`NONE`]. Returns
    /// the new last one.
    pub fn enter(&mut self, cell: u32, entry: Entry, others: u32) -> u32 {
        let next = self.node(cell).first_place;
        let place = Place { entry, cell, previous: NONE, next, next_of_object: others };
        let number = self.free_place;
        let number = if number == NONE {
            self.places.push(place);
            self.places.len() as u32 - 1
        } else {
            self.free_place = self.places[number as usize].next;
            self.places[number as usize] = place;
            number
        };
        if next != NONE {
            self.places[next as usize].previous = number;
        }
        self.nodes[cell as usize].first_place = number;
        number
    }

    /// Takes an object out of all its places, of which this is the last entered; cells that hold
    /// nothing more are given back.
    pub fn leave(&mut self, mut number: u32) {
        while number != NONE {
            let Place { cell, previous, next, next_of_object, .. } = self.places[number as usize];
            if next != NONE {
                self.places[next as usize].previous = previous;
            }
            if previous != NONE {
                self.places[previous as usize].next = next;
            } else {
                self.nodes[cell as usize].first_place = next;
            }
            self.places[number as usize].next = self.free_place;
            self.free_place = number;
            self.give_back_if_empty(cell);
            number = next_of_object;
        }
    }

    /// The objects in a cell.
    #[inline]
    pub fn entries(&self, cell: u32) -> impl Iterator<Item = &Entry> {
        let mut number = self.node(cell).first_place;
        std::iter::from_fn(move || {
            let place = self.places.get(number as usize)?;
            number = place.next;
            Some(&place.entry)
        })
    }

    /// Gives back a cell without objects and children, and then those around it.
    fn give_back_if_empty(&mut self, mut cell: u32) {
        loop {
            let node = *self.node(cell);
            if cell == ROOT || node.children > 0 || node.first_place != NONE {
                return;
            }
            if node.next_sibling != NONE {
                self.nodes[node.next_sibling as usize].previous_sibling = node.previous_sibling;
            }
            if node.previous_sibling != NONE {
                self.nodes[node.previous_sibling as usize].next_sibling = node.next_sibling;
            } else {
                self.nodes[node.parent as usize].first_child = node.next_sibling;
            }
            self.nodes[node.parent as usize].children -= 1;
            self.leave_slot(cell, &node);
            self.nodes[cell as usize].next_in_slot = self.free_node;
            self.free_node = cell;
            self.in_use -= 1;
            cell = node.parent;
        }
    }

    fn leave_slot(&mut self, cell: u32, node: &Node) {
        let slot = home(node.key, self.slots.len());
        if self.slots[slot] == cell {
            self.slots[slot] = node.next_in_slot;
            return;
        }
        let mut before = self.slots[slot];
        while self.node(before).next_in_slot != cell {
            before = self.node(before).next_in_slot;
        }
        self.nodes[before as usize].next_in_slot = node.next_in_slot;
    }

    /// Doubles the table. Called when no slot would be left for each cell.
    fn grow(&mut self) {
        let slots = 2 * self.slots.len();
        self.slots.clear();
        self.slots.resize(slots, NONE);
        // Free cells must keep the links of their list; those in use are found down the tree.
        let mut open = vec![ROOT];
        while let Some(cell) = open.pop() {
            let children: Vec<u32> = self.children(cell).collect();
            for &child in &children {
                let slot = home(self.node(child).key, slots);
                self.nodes[child as usize].next_in_slot = self.slots[slot];
                self.slots[slot] = child;
            }
            open.extend(children);
        }
    }

    /// Bytes in use, free ones included.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.places[..]) + size_of_val(&self.slots[..])
    }

    /// The counts of cells and of places in memory, free ones included.
    #[cfg(test)]
    pub fn counts(&self) -> [usize; 2] {
        [self.nodes.len(), self.places.len()]
    }

    /// Panics unless every cell in use is found under its parent, holds something, and all lists
    /// are whole. Calls `check` for each entry of each cell.
    pub fn assert_well_formed(&self, mut check: impl FnMut(&Node, &Entry)) {
        let mut open = vec![ROOT];
        let [mut cells, mut places] = [0, 0];
        while let Some(cell) = open.pop() {
            cells += 1;
            let node = self.node(cell);
            let children: Vec<u32> = self.children(cell).collect();
            assert_eq!(children.len() as u32, node.children);
            let is_kept = cell == ROOT || node.children > 0 || node.first_place != NONE;
            assert!(is_kept, "cell {cell} is empty");
            for &child in &children {
                let Node { parent, class, position, .. } = *self.node(child);
                assert_eq!((parent, self.child(cell, class, position)), (cell, Some(child)));
            }
            for entry in self.entries(cell) {
                places += 1;
                check(node, entry);
            }
            open.extend(children);
        }
        assert_eq!(cells, self.in_use);
        let free = |first: u32, next: &dyn Fn(u32) -> u32| {
            let following = |&n: &u32| Some(next(n)).filter(|&n| n != NONE);
            std::iter::successors(Some(first).filter(|&n| n != NONE), following).count()
        };
        let free_cells = free(self.free_node, &|n| self.node(n).next_in_slot);
        let free_places = free(self.free_place, &|n| self.places[n as usize].next);
        assert_eq!(
            [cells + free_cells, places + free_places],
            [self.nodes.len(), self.places.len()]
        );
    }
}
