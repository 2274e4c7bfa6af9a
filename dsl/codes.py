"""The table of diagnostic codes: titles and meanings, for `explain` and the documentation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A title of a few words, and a paragraph that says what is wrong and what to do."""

    title: str
    meaning: str


CODES: dict[str, Code] = {
    # ------------------------------------------------ E1xx: file, YAML, keys
    "E101": Code(
        "not YAML",
        "The file breaks the rules of YAML, so nothing in it can be read. The usual reasons are a "
        "missing space after `:`, uneven indentation, and text that begins with `{`, `[`, `@` or a "
        "quote without being quoted whole.",
    ),
    "E102": Code(
        "key given twice",
        "A mapping has the same key twice. YAML readers silently keep one of them; here both stand until one is removed.",
    ),
    "E103": Code(
        "anchor or alias",
        "`&name` and `*name` copy one part of a file to another. A ruleset says such things by a name"
        " under `define` or `phrases`, or by `extends`, so that messages point at the right place.",
    ),
    "E104": Code(
        "merge key",
        "`<<` merges one mapping into another. A variant says so with `extends` and `override`.",
    ),
    "E105": Code(
        "tag",
        "`!tag` gives a YAML value a type of its own. Rulesets have none; text that begins with `!` stands in quotes.",
    ),
    "E106": Code(
        "second document",
        "`---` begins a second document. One file holds one ruleset.",
    ),
    "E107": Code(
        "key that is no text",
        "A key is itself a list or a mapping. Usually `{…}` or `[…]` before a `:` lacks quotes.",
    ),
    "E108": Code(
        "empty file",
        "The file holds nothing but white space and comments.",
    ),
    "E109": Code(
        "not UTF-8",
        "The file is not text in UTF-8. Save it again with that encoding.",
    ),
    "E110": Code(
        "character that cannot be seen",
        "The text has a control character, written out or by an escape such as `\\0`. They can hide "
        "text from a reader and steer a terminal.",
    ),
    "E111": Code(
        "file too large",
        "A ruleset is at most 100 kB of text, a case file at most 1 MB. What several variants share goes into a parent, which they extend.",
    ),
    "E112": Code(
        "nested too deep",
        "Lists and mappings lie in one another more than 40 levels deep.",
    ),
    "E113": Code(
        "too many values",
        "A ruleset has at most 5 000 keys and values, a case file at most 50 000.",
    ),
    "E114": Code(
        "file not readable",
        "The file cannot be opened: it is not there, or it may not be read.",
    ),
    "E115": Code(
        "text too long",
        "One piece of text has more than 20 000 characters.",
    ),
    "E120": Code(
        "unknown key",
        "A key that has no meaning at this place. Nothing is ignored silently, so that a misspelt rule cannot be a missing one.",
    ),
    "E121": Code(
        "missing key",
        "A key that this part of a ruleset cannot do without.",
    ),
    "E122": Code(
        "wrong kind of value",
        "For example a list where one line of text is due, or a word where a number is due.",
    ),
    "E123": Code(
        "not one of the choices",
        "The value must be one of a few words.",
    ),
    "E124": Code(
        "out of range",
        "A number is too small or too large, or a list or mapping is too short or too long.",
    ),
    "E125": Code(
        "not a name",
        "A name has letters, digits and `_`, and begins with a letter; the id of a ruleset is written in small letters, digits and `-`.",
    ),
    "E126": Code(
        "value given twice",
        "A list that may hold every value once holds one twice.",
    ),
    "E127": Code(
        "does not fit the schema",
        "The file breaks a rule of the JSON Schema of rulesets that has no message of its own.",
    ),
    # ------------------------------------------- E2xx: decks, orders, names
    "E201": Code(
        "unknown deck",
        "`deck` names a pack of cards that is not in the library. A deck of your own is written out with `suits` and `ranks`.",
    ),
    "E202": Code(
        "deck that cannot be played with",
        "A deck written out in the ruleset has no cards or too many, or two of its suits have the same "
        "letter, so that `As` could be two cards.",
    ),
    "E203": Code(
        "unknown rank",
        "An order, a value or an expression names a rank that the deck does not have. Small and capital "
        "letters differ: `K` is a king, `k` is nothing.",
    ),
    "E204": Code(
        "no such card",
        "The rank and the suit exist, but this card is not in the deck: a pack of forty has no `8` and no "
        "`9`, and `remove` takes cards away.",
    ),
    "E205": Code(
        "name that is taken",
        "One name would mean two things. Another item, a built-in word such as `hand` or `trump`, or a function has it already.",
    ),
    "E206": Code(
        "not a choice of the option",
        "An option is compared with a word that is not one of its choices. It would never be equal, so a rule would silently be lost.",
    ),
    "E207": Code(
        "wrong number of arguments",
        "A function or a definition gets more or fewer things in its brackets than it wants, or has no brackets at all.",
    ),
    "E208": Code(
        "unknown function",
        "Brackets stand after a name that is neither a function of the language nor a definition under `define`.",
    ),
    "E209": Code(
        "name bound twice",
        "A loop, a choice, a `let` or a parameter gives a name that means something already. A reader "
        "could not tell which one is meant; take another name.",
    ),
    "E210": Code(
        "unknown name",
        "Nothing has this name: no option, card, pile, variable, definition or word of the language. "
        "Names are bound by loops, by choices and by `let`, and only for what stands inside or after "
        "them.",
    ),
    "E211": Code(
        "owner is missing",
        "There is one of these for each seat or side, and it is not said whose is meant: write `hand of player`, `tricks of s`.",
    ),
    "E212": Code(
        "owner too many",
        "There is only one of these, so nobody owns it: write `trick`, not `trick of player`.",
    ),
    "E213": Code(
        "cannot be set",
        "`set` and `add` change variables. Options, cards and definitions stay as they are, and a few "
        "variables such as `leader` are kept by the engine.",
    ),
    "E214": Code(
        "unknown pile",
        "A step moves cards from or to a pile that does not exist, or that is not of the kind needed. "
        "Piles are declared under `piles`; `deck`, `hand`, `trick` and `won` are always there.",
    ),
    "E215": Code(
        "pile without an order",
        "Only a pile that is declared with `in order` has a top card and can be shuffled.",
    ),
    "E216": Code(
        "unknown suit of an order",
        "The key of an order ends in a word that is neither a suit nor a class of suits, such as `red`.",
    ),
    "E217": Code(
        "card with two places",
        "Under some trump a card stands twice in the orders, so it would be both higher and lower than "
        "others. The message names the trump and both places.",
    ),
    "E218": Code(
        "card without a place",
        "Under some trump a card stands in no order, so nobody could say whether it wins. Every card "
        "stands once: in the order of its suit, or among the trumps.",
    ),
    "E219": Code(
        "card with two values",
        "Two rows of `worth` give points to the same card.",
    ),
    "E220": Code(
        "unknown ranking",
        "`ranking` of a contract names orders that do not exist. Orders with a name are written under "
        "`ranking`, as in `null plain: A K Q J`.",
    ),
    "E221": Code(
        "unknown library module",
        "`use` names a module that the library does not have.",
    ),
    # ------------------------------------------------- E3xx: single texts
    "E301": Code(
        "nothing is written",
        "A key is there, and the text after it is empty.",
    ),
    "E302": Code(
        "text too long or too deep",
        "A single text has more than 4,000 characters, or brackets and conditions lie in one another more "
        "than 60 deep. Give parts of it names under `define`.",
    ),
    "E303": Code(
        "sign without a meaning",
        "The text has a sign that the language does not use, often one from a programming language: write "
        "`is` for `==`, `and` for `&&`, `of` for a dot.",
    ),
    "E304": Code(
        "word that does not fit",
        "At this place another word or sign is due, or the text breaks off. The label says what could stand here.",
    ),
    "E305": Code(
        "word of the language as a name",
        "`and`, `not`, `of` and the like cannot be names.",
    ),
    "E306": Code(
        "phrase that does not hold together",
        "The holes `{…}` of a phrase and its `parameters` must be the same, each with a type, and a phrase needs a word beside its holes.",
    ),
    "E307": Code(
        "bracket without its partner",
        "A `(` or `{` is not closed, or a `)` or `}` closes nothing.",
    ),
    # ------------------------------------------ E4xx: types and quantities
    "E401": Code(
        "unknown type",
        "A variable or a parameter has a type that the language does not know.",
    ),
    "E402": Code(
        "wrong kind of thing",
        "A card is given where a seat is due, a truth where a number is due, and so on. The message says what is due and what was found.",
    ),
    "E403": Code(
        "may be none",
        "Something that may be none is used as if it were always there. Ask first whether it `exists`; inside that condition it does.",
    ),
    "E404": Code(
        "fraction where a whole number is due",
        "A quotient or a fraction counts cards or tricks. Say how it is rounded: `floor(…)`, `ceiling(…)` or `round(…)`.",
    ),
    "E405": Code(
        "defined by itself",
        "A definition, a card or a phrase needs itself to be known, at once or through others. The label shows the way round.",
    ),
    "E407": Code(
        "must be known before play",
        "Orders, values of cards, how often a loop runs at most, and what an option requires must follow "
        "from the options alone, not from the cards dealt.",
    ),
    "E408": Code(
        "ruleset too large",
        "The ruleset would take too long to check: too many names, rows or phrases, or definitions and "
        "phrases that use one another so often that written out they become huge.",
    ),
    "E409": Code(
        "number too large",
        "A number has more than nine digits, or a calculation leads to a number or a fraction that no score needs.",
    ),
    "E410": Code(
        "divisor that does not do",
        "Nothing is divided by zero, and a divisor must be known before play, so that amounts stay exact. "
        "Inside `floor(…)`, `ceiling(…)` and `round(…)` any divisor may stand.",
    ),
    "E411": Code(
        "two things that never agree",
        "Two things of different kinds are compared, or the two ways of an `if` give different kinds.",
    ),
    "E412": Code(
        "always exists",
        "`exists` asks of something that is always there, so the question has only one answer.",
    ),
    # ------------------------------------------- E5xx: the rules as a whole
    "E501": Code(
        "deal that does not come out",
        "The deal gives out more cards than the deck has, or leaves cards in the deck that nobody uses.",
    ),
    "E502": Code(
        "outcomes that leave a gap",
        "No outcome may hold, and the deal would end without a result. Let the last one be `otherwise`.",
    ),
    "E503": Code(
        "never reached",
        "An earlier obligation or outcome always holds, so this one never counts.",
    ),
    "E504": Code(
        "obligations without an end",
        "A player could be left without a card to play. The last obligation is one that always holds and "
        "is never empty: `free: {must: hand of player}`.",
    ),
    "E505": Code(
        "unknown obligation",
        "`before` names an obligation that is not in the list.",
    ),
    "E506": Code(
        "chips from nowhere",
        "The score is declared balanced, and a step gives chips that nobody pays.",
    ),
    "E507": Code(
        "payment without a score",
        "Somebody pays or scores, and the ruleset has no `score` section that says what is counted, and for whom.",
    ),
    "E508": Code(
        "jump to nowhere",
        "`leave` stands outside a loop, or `end play` outside the steps of `play`.",
    ),
    "E509": Code(
        "two verbs for cards",
        "One question offers cards under two verbs, and a card as an answer would mean either. Ask one after the other.",
    ),
    "E510": Code(
        "sides that do not fit the seats",
        "Each seat belongs to one side and no more; seats count from 0.",
    ),
    "E511": Code(
        "bid listed twice",
        "A bid stands twice in the list of bids.",
    ),
    "E512": Code(
        "bid without a contract",
        "Every bid needs a row of the same name under `contracts`, which says how it is played.",
    ),
    "E513": Code(
        "nobody to see it",
        "`seen by owner` is said of something that has no owner.",
    ),
    "E514": Code(
        "all pass, and then",
        "Every auction may end with everybody passing, and nothing says what follows.",
    ),
    "E515": Code(
        "unequal hands",
        "The seats are dealt different numbers of cards.",
    ),
    "E516": Code(
        "read before it is set",
        "A role, a trump or a chosen card is used on a way the deal can go on which nobody has set it.",
    ),
    "E517": Code(
        "trump that nobody names",
        "The cards are ranked with trumps, and no step sets which suit is trump.",
    ),
    # -------------------------------------------- E6xx: variants and options
    "E601": Code(
        "unknown parent",
        "`extends` names a ruleset that does not exist.",
    ),
    "E602": Code(
        "circle of parents",
        "Rulesets extend each other in a circle, so none of them can be read first.",
    ),
    "E603": Code(
        "too many parents",
        "A ruleset extends one that extends another, and so on, more than 8 deep.",
    ),
    "E604": Code(
        "inherited",
        "A variant gives anew what its parent has already. What is inherited changes only under "
        "`override`, by its path, so that a reader sees every change in one place.",
    ),
    "E605": Code(
        "nothing to override",
        "`override` names a path that the parent does not have. New things are added in their own section.",
    ),
    "E606": Code(
        "override without parent",
        "`override` stands in a ruleset that extends none.",
    ),
    "E607": Code(
        "not to be overridden",
        "What a ruleset is called and where it comes from (`ruleset`, `title`, `extends`, …) is its "
        "own and is simply written; it is not overridden.",
    ),
    "E608": Code(
        "overridden twice",
        "Two paths of `override` change the same thing, one of them as a part of the other.",
    ),
    "E609": Code(
        "no such place",
        "`before` names a rung that the parent does not have.",
    ),
    # ------------------------------------------------------ E8xx: case files
    "E801": Code(
        "unknown card in a case",
        "A case names a card that the deck of its ruleset does not have, or one card twice. Cards are written "
        "rank then suit letter, as in `As`.",
    ),
    "E802": Code(
        "unknown option in a case",
        "The `options` of a case name an option that its ruleset does not have, or a value that the option cannot have.",
    ),
    "E803": Code(
        "word that does not fit in a case",
        "A case names a seat, a side, an answer, a variable, an obligation or a number that its ruleset does not have or that "
        "cannot stand there, or gives hands of the wrong size.",
    ),
    "E804": Code(
        "value that is not known in a case",
        "What a case asks for depends on something that it does not give, such as a trump suit; give it under `given`.",
    ),
    "E611": Code(
        "default that cannot be",
        "The default of an option is not one of its choices, or lies outside its bounds.",
    ),
    "E612": Code(
        "unknown option in a preset",
        "A preset sets an option that the ruleset does not have.",
    ),
    "E613": Code(
        "value that an option cannot have",
        "A preset sets an option to a value that it cannot have.",
    ),
    "E614": Code(
        "option without its condition",
        "An option was given that counts only under another option's value, and that value is not chosen.",
    ),
    # -------------------------------------------------------- W7xx: warnings
    "W701": Code(
        "override that changes nothing",
        "`override` gives a value that the parent has already.",
    ),
    "W702": Code(
        "option that nobody reads",
        "No rule depends on the option, so choosing it changes nothing. Often a rule was forgotten, or its option misspelt.",
    ),
    "W703": Code(
        "value that changes nothing",
        "With this value of an option the game is the same as with its default.",
    ),
}
