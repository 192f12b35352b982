"""Slack's names of emoji. Most are the names that Unicode gives them; the table has common ones with other names."""

from __future__ import annotations

import unicodedata

_TABLE = """
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 heart ❤️ tada 🎉 joy 😂 rolling_on_the_floor_laughing 🤣 smile 😄 smiley 😃
grinning 😀 grin 😁 laughing 😆 satisfied 😆 sweat_smile 😅 slightly_smiling_face 🙂 simple_smile 🙂 upside_down_face 🙃
wink 😉 blush 😊 innocent 😇 smiling_face_with_3_hearts 🥰 heart_eyes 😍 star-struck 🤩 kissing_heart 😘 yum 😋
stuck_out_tongue 😛 stuck_out_tongue_winking_eye 😜 zany_face 🤪 hugging_face 🤗 face_with_hand_over_mouth 🤭
shushing_face 🤫 thinking_face 🤔 zipper_mouth_face 🤐 neutral_face 😐 expressionless 😑 no_mouth 😶 smirk 😏 unamused 😒
face_with_rolling_eyes 🙄 grimacing 😬 relieved 😌 pensive 😔 sleepy 😪 sleeping 😴 mask 😷 sunglasses 😎 nerd_face 🤓
confused 😕 worried 😟 slightly_frowning_face 🙁 white_frowning_face ☹️ open_mouth 😮 hushed 😯 astonished 😲 flushed 😳
frowning 😦 anguished 😧 fearful 😨 cold_sweat 😰 disappointed_relieved 😥 cry 😢 sob 😭 scream 😱 confounded 😖
persevere 😣 disappointed 😞 sweat 😓 weary 😩 tired_face 😫 triumph 😤 rage 😡 angry 😠 skull_and_crossbones ☠️
poop 💩 hankey 💩 clown_face 🤡 space_invader 👾 robot_face 🤖 wave 👋 raised_hand ✋ hand ✋ spock-hand 🖖 ok_hand 👌
v ✌️ crossed_fingers 🤞 point_left 👈 point_right 👉 point_up ☝️ point_up_2 👆 point_down 👇 fist ✊ facepunch 👊 punch 👊
clap 👏 raised_hands 🙌 open_hands 👐 handshake 🤝 pray 🙏 muscle 💪 eyes 👀 brain 🧠 shrug 🤷 face_palm 🤦 bow 🙇
raising_hand 🙋 ok_woman 🙆 no_good 🙅 man-shrugging 🤷‍♂️ woman-shrugging 🤷‍♀️ man-facepalming 🤦‍♂️ woman-facepalming 🤦‍♀️
orange_heart 🧡 yellow_heart 💛 green_heart 💚 blue_heart 💙 purple_heart 💜 black_heart 🖤 two_hearts 💕 broken_heart 💔
100 💯 boom 💥 collision 💥 dizzy 💫 sweat_drops 💦 dash 💨 zzz 💤 fire 🔥 sparkles ✨ star ⭐ star2 🌟 sunny ☀️ zap ⚡
snowflake ❄️ rainbow 🌈 ocean 🌊 earth_africa 🌍 earth_americas 🌎 earth_asia 🌏 cat 🐱 dog 🐶 see_no_evil 🙈 hear_no_evil 🙉
speak_no_evil 🙊 unicorn_face 🦄 bee 🐝 honeybee 🐝 bug 🐛 octopus 🐙 four_leaf_clover 🍀 cherry_blossom 🌸 rose 🌹
hamburger 🍔 pizza 🍕 taco 🌮 coffee ☕ tea 🍵 beer 🍺 beers 🍻 wine_glass 🍷 clinking_glasses 🥂 champagne 🍾 cake 🍰
birthday 🎂 gift 🎁 balloon 🎈 confetti_ball 🎊 trophy 🏆 medal 🏅 first_place_medal 🥇 soccer ⚽ dart 🎯 rocket 🚀
airplane ✈️ car 🚗 red_car 🚗 bike 🚲 house 🏠 office 🏢 computer 💻 iphone 📱 phone ☎️ email ✉️ envelope ✉️ e-mail 📧
memo 📝 pencil 📝 pencil2 ✏️ book 📖 books 📚 calendar 📆 date 📅 chart_with_upwards_trend 📈 pushpin 📌 paperclip 📎
lock 🔒 unlock 🔓 key 🔑 hammer 🔨 wrench 🔧 gear ⚙️ bulb 💡 bell 🔔 mega 📣 loudspeaker 📢 speech_balloon 💬
white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌ heavy_multiplication_x ✖️ heavy_plus_sign ➕
heavy_minus_sign ➖ question ❓ exclamation ❗ heavy_exclamation_mark ❗ bangbang ‼️ warning ⚠️ no_entry ⛔
no_entry_sign 🚫 recycle ♻️ sos 🆘 ok 🆗 cool 🆒 new 🆕 arrow_up ⬆️ arrow_down ⬇️ arrow_left ⬅️ arrow_right ➡️
arrows_counterclockwise 🔄 red_circle 🔴 large_blue_circle 🔵 large_green_circle 🟢 white_circle ⚪ black_circle ⚫
hourglass ⌛ hourglass_flowing_sand ⏳ alarm_clock ⏰ watch ⌚ moneybag 💰 dollar 💵 euro 💶 gem 💎 ghost 👻 alien 👽
skull 💀 santa 🎅 partying_face 🥳 saluting_face 🫡 melting_face 🫠 heart_hands 🫶 pleading_face 🥺 hot_face 🥵
cold_face 🥶 exploding_head 🤯 cowboy_hat_face 🤠 nauseated_face 🤢 sneezing_face 🤧 drooling_face 🤤 lying_face 🤥
de 🇩🇪 gb 🇬🇧 uk 🇬🇧 us 🇺🇸 fr 🇫🇷 es 🇪🇸 it 🇮🇹 ru 🇷🇺 jp 🇯🇵 kr 🇰🇷 cn 🇨🇳
"""
_WORDS = _TABLE.split()
_EMOJI = dict(zip(_WORDS[::2], _WORDS[1::2]))
_REGIONAL_A = 0x1F1E6
_TONE_2 = 0x1F3FB


def emoji(name: str) -> str:
    """Returns the emoji of a name such as "+1::skin-tone-3", or empty for a workspace's own emoji."""
    base, _, tone = name.partition("::")
    found = _EMOJI.get(base) or _flag(base) or _by_unicode_name(base)
    if not found or not tone:
        return found
    number = tone.removeprefix("skin-tone-")
    if number not in ("2", "3", "4", "5", "6"):
        return ""
    # The tone follows the first character, and replaces a variation selector.
    return found[0] + chr(_TONE_2 + int(number) - 2) + found[1:].removeprefix("\ufe0f")


def _flag(name: str) -> str:
    country = name.removeprefix("flag-")
    if len(name) == 7 and len(country) == 2 and country.isascii() and country.isalpha():
        return "".join(chr(_REGIONAL_A + ord(letter) - ord("a")) for letter in country.lower())
    return ""


def _by_unicode_name(name: str) -> str:
    if not 2 < len(name) < 60 or not name.isascii():
        return ""
    try:
        found = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return ""
    return found if len(found) == 1 and ord(found) >= 0x2190 and unicodedata.category(found) == "So" else ""
